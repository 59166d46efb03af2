import fc from "fast-check";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { middleOut } from "./middle-out.ts";

describeStrategy({
  strategy: middleOut,
  configs: fc.record({ startShare: fc.double({ min: 0, max: 0.5, noNaN: true }) }, { requiredKeys: [] }),
});
