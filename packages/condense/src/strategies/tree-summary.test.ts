import fc from "fast-check";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { treeSummary } from "./tree-summary.ts";

describeStrategy({
  strategy: treeSummary,
  configs: fc.record(
    {
      chunkSize: fc.integer({ min: 2, max: 5 }),
      levels: fc.integer({ min: 1, max: 3 }),
      preserveTop: fc.nat({ max: 3 }),
      preserveBottom: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: [] },
  ),
});
