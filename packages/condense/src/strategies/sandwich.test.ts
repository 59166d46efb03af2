import fc from "fast-check";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { sandwich } from "./sandwich.ts";

describeStrategy({
  strategy: sandwich,
  configs: fc.record({ preserveTop: fc.nat({ max: 6 }), preserveBottom: fc.nat({ max: 6 }) }, { requiredKeys: [] }),
});
