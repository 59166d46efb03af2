import fc from "fast-check";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { native } from "./native.ts";

describeStrategy({
  strategy: native,
  configs: fc.record({ prompt: fc.constantFrom("", "In one line.") }, { requiredKeys: [] }),
});
