import type { Content } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import { positionKey } from "../edits/text-position.ts";
import { planReferences } from "../references/plan.ts";
import { subjectKey } from "../references/same-operation.ts";
import { isRead } from "../references/subject.ts";

/** Where references may stand: nowhere, in what tools answered, or also in what the assistant wrote. */
export type ReferenceScope = "off" | "results" | "all";

/** How to make references. */
export interface ReferencesOptions {
  readonly references: ReferenceScope;
  /** Whether a whole result that the same operation gave before is marked as consolidated. @default false */
  readonly consolidates?: boolean;
}

/** Replaces lines that stand further up already by references to them; nothing is lost. */
export function referencesPass({ references, consolidates = false }: ReferencesOptions): Pass {
  return {
    id: "references",
    name: "References",
    plan: (view) => {
      if (references === "off") return [];
      const isSource = writableIn(view.contents().contents, references);
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
      isSource: freeOfOwnWords(view.contents().contents),
      groupOf: (content) => (isRead(content) ? (isErrorResult(content) ? "error" : "read") : undefined),
      needsWhole: () => true,
      reason: "reference",
    }),
};

/** Tells which contents may give way to references. */
export function writableIn(contents: readonly Content[], scope: ReferenceScope): (content: Content) => boolean {
  const isFree = freeOfOwnWords(contents);
  return (content) => {
    const isWritable = content.level === "result" || (scope === "all" && content.role === "assistant");
    return isWritable && isFree(content);
  };
}

/** An error gives way only as a whole, to the same error. */
function isErrorResult({ level, use }: Content): boolean {
  return level === "result" && use?.isError === true;
}

/** Tells texts apart that hold no words of the user's own, perhaps beside a tool's answer. Only in such texts may anything be replaced. */
export function freeOfOwnWords(contents: readonly Content[]): (content: Content) => boolean {
  const own = contents.filter(({ level, role }) => level === "text" && role === "user");
  const places = new Set(own.map(({ at }) => positionKey(at)));
  return ({ at }) => !places.has(positionKey(at));
}

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
