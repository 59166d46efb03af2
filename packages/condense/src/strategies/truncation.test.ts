import fc from "fast-check";
import { describeStrategy } from "../testing/describe-strategy.ts";
import { truncation } from "./truncation.ts";

describeStrategy({
  strategy: truncation,
  configs: fc.record(
    {
      preserveRecentCount: fc.nat({ max: 6 }),
      truncationMode: fc.constantFrom("suppress", "truncate"),
      toolResultMode: fc.constantFrom("inherit", "keep", "suppress", "truncate"),
      toolParamMode: fc.constantFrom("inherit", "keep", "suppress", "truncate"),
      maxToolResultLines: fc.integer({ min: 1, max: 4 }),
      maxToolParamChars: fc.integer({ min: 1, max: 40 }),
      preserveUserMessages: fc.boolean(),
      preserveAssistantText: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
});
