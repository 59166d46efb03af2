import fc from "fast-check";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { slidingWindow } from "./sliding-window.ts";

describeStrategy({
  strategy: slidingWindow,
  configs: fc.record({ keepLast: fc.nat({ max: 8 }) }, { requiredKeys: [] }),
});
