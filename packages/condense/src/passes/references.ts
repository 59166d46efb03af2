import type { Content } from "../content.ts";
import { placeKey } from "../place.ts";
import { planReferences } from "../references/plan.ts";
import { workOf } from "../references/tool-work.ts";
import type { Pass } from "../strategy.ts";
import type { View } from "../view.ts";

/** Where references may stand: nowhere, in what tools answered, or also in what the assistant wrote. */
export type ReferenceScope = "off" | "results" | "all";

/** How to make references. */
export interface ReferencesOptions {
  readonly references: ReferenceScope;
  /** Whether a whole result that the same operation gave before is marked as consolidated. @default false */
  readonly consolidates?: boolean;
  /** Messages before this one stay as they are, and can be pointed to. @default 0 */
  readonly from?: number;
}

/** Replaces lines that stand further up already by references to them; nothing is lost. */
export function referencesPass({ references, consolidates = false, from = 0 }: ReferencesOptions): Pass {
  return {
    id: "references",
    name: "References",
    plan: (view) => {
      if (references === "off") return [];
      const isFree = freeOfOwnWords(view);
      const isSource = (content: Content): boolean =>
        content.at.message >= from && isWritable(content, references) && isFree(content);
      return planReferences(view, { isSource, groupOf: () => "text", consolidates, reason: "reference" });
    },
  };
}

/** Replaces whole reads of a file that gave what an earlier one gave. */
export const repeatedReadsPass: Pass = {
  id: "repeated-reads",
  name: "Repeated reads",
  plan: (view) =>
    planReferences(view, {
      isSource: freeOfOwnWords(view),
      groupOf: (content) => (isFileRead(content) ? (isErrorResult(content) ? "error" : "read") : undefined),
      needsWhole: () => true,
      reason: "reference",
    }),
};

function isFileRead({ level, use }: Content): boolean {
  return level === "result" && use !== undefined && workOf(use) === "read";
}

function isWritable({ level, role }: Content, scope: ReferenceScope): boolean {
  return level === "result" || (scope === "all" && role === "assistant");
}

/** An error gives way only as a whole, to the same error. */
export function isErrorResult({ level, use }: Content): boolean {
  return level === "result" && use?.isError === true;
}

/** Tells texts apart that hold no words of the user's own, perhaps beside a tool's answer. Only in such texts may anything be replaced. */
export function freeOfOwnWords(view: View): (content: Content) => boolean {
  const own = view.contents().contents.filter(({ level, role }) => level === "text" && role === "user");
  const places = new Set(own.map(({ at }) => placeKey(at)));
  return ({ at }) => !places.has(placeKey(at));
}
