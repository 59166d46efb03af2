import type { Draft } from "./draft.ts";
import { type ReferencesOptions, referencesPass } from "./passes/references.ts";
import { runPasses } from "./run.ts";
import type { ViewContext } from "./view.ts";

/** How to add references to what is about to be sent for the first time. */
export interface AddOptions extends ReferencesOptions, Omit<ViewContext, "limits"> {
  /** Messages before this one were sent already: they stay as they are, and can be pointed to. */
  readonly from: number;
}

/**
 * Adds references to the messages from `from` on. Done whenever messages are sent for the first time, with the draft that was sent before,
 * this gives each message the form that it keeps on every later turn. Where nothing is to be gained, the draft is returned as it is.
 */
export function addReferences(draft: Draft, { counter, hash, ...options }: AddOptions): Draft {
  const context = { limits: NO_LIMITS, counter, hash };
  const step = runPasses(draft, { passes: [referencesPass(options)], stopsAtTarget: false }, context).next();
  return step.done === true ? step.value.draft : draft;
}

const NO_LIMITS = {
  windowTokens: Number.POSITIVE_INFINITY,
  budgetTokens: Number.POSITIVE_INFINITY,
  targetTokens: Number.POSITIVE_INFINITY,
};
