import type { Report } from "@longhaul/condense";
import type { JsonObject } from "@longhaul/conversation";
import { cleanName } from "@longhaul/fit";
import type { CondensationEvent, Epoch } from "@longhaul/store";

/** A condensation, and what it was made for. */
export interface MadeSmaller {
  readonly id: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly atMs: number;
  readonly epoch: Epoch;
  readonly report: Report;
  /** What its summaries were expected to cost. */
  readonly estimatedUsd: number;
}

/** What is kept of a condensation. */
export function condensationEvent({ epoch, report, ...made }: MadeSmaller): CondensationEvent {
  const { tenant, upstream, strategy, tokensBefore, tokensAfter, costUsd } = epoch;
  const names = { session: cleanName(epoch.session), model: cleanName(epoch.model) };
  const figures = { tokensBefore, tokensAfter, costUsd, ms: Math.round(report.milliseconds) };
  return { ...made, tenant, upstream, strategy, ...names, ...figures, report: withoutWords(report) };
}

/** A report's figures. Why something failed, and which facts were put back, may quote what was said. */
function withoutWords({ passes, fallbacks, warnings, ...report }: Report): JsonObject {
  return {
    ...report,
    passes: passes.map(({ why: _, facts, operations, ...pass }) => ({
      ...pass,
      operations: { ...operations },
      ...(facts !== undefined && { facts: { ...facts, putBack: facts.putBack.length } }),
    })),
    fallbacks: fallbacks.map(({ strategy }) => strategy),
    warnings: warnings.length,
  };
}
