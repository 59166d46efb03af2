import type { Pass } from "../contract/strategy.ts";
import { planReferences } from "../references/plan.ts";
import { subjectKey } from "../references/same-operation.ts";
import { freeOfOwnWords, isErrorResult } from "./references.ts";

/**
 * Consolidates results of the same operation (a listing of the same folder, a search for the same pattern, a run of the same command): what
 * an earlier one gave already becomes a reference to it, as a whole or run by run. Lines that differ are kept; an error gives way only as
 * a whole, to the same error.
 */
export const consolidatePass: Pass = {
  id: "consolidate",
  name: "Consolidation",
  plan: (view) =>
    planReferences(view, {
      isSource: freeOfOwnWords(view.contents().contents),
      groupOf: subjectKey,
      needsWhole: isErrorResult,
      consolidates: true,
      reason: "consolidate",
    }),
};
