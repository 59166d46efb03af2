import { type Hash, LonghaulError } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import type { ResolvedSplice } from "../edits/change.ts";
import { type Draft, makeDraft, type SentMessages, type Slot } from "../edits/draft.ts";
import type { Splice } from "../edits/edit.ts";
import { editSlot, editsByMessage } from "../edits/edit-slot.ts";
import { positionKey, textIn } from "../edits/text-position.ts";
import { planReferences } from "../references/plan.ts";
import { openReferenceIndex, type ReferenceIndex } from "../references/reference-index.ts";
import { isRead, subjectKey } from "../references/subject.ts";

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

/** How to add references to what is about to be sent for the first time. */
export interface AddReferencesOptions extends ReferencesOptions {
  /** Messages of the draft before this position were sent already: they stay as they are, and can be pointed to. */
  readonly from: number;
  readonly counter: TokenCounter;
  readonly hash: Hash;
  /** What earlier turns of this conversation left behind, which saves reading it all again. It learns what was sent since. */
  readonly index?: ReferenceIndex;
}

/**
 * Adds references to the messages from `from` on. Done whenever messages are sent for the first time, with the draft that was sent before,
 * this gives each message the form that it keeps on every later turn. Where nothing is to be gained, the draft is returned as it is.
 */
export function addReferences(draft: Draft, options: AddReferencesOptions): Draft {
  const { raw, slots } = draft;
  const sent = {
    count: slots.length,
    slotAt: (position: number) => slots[position],
    rawAt: (index: number) => raw.messages[index],
  };
  const changed = addReferencesToNew(sent, options);
  if (changed.size === 0) return draft;
  return makeDraft(
    raw,
    slots.map((slot, position) => changed.get(position) ?? slot),
  );
}

/**
 * As `addReferences`, for a conversation of which not every message was read: gives the new messages that references stand in, by their
 * position, and asks only for new messages, for those with calls that they answer, and for what references point to.
 */
export function addReferencesToNew(
  sent: SentMessages,
  { from, references, consolidates = false, counter, hash, index = openReferenceIndex() }: AddReferencesOptions,
): ReadonlyMap<number, Slot> {
  if (references === "off" || from >= sent.count) return new Map();
  const sourcesIn = (contents: readonly Content[]) => writableIn(contents, references);
  const edits = index.planFrom(from, sent, { sourcesIn, consolidates, counter, hash });
  const context = { rawAt: sent.rawAt, resolve: (splice: Splice) => resolveRaw(splice, sent, hash) };
  const changed = new Map<number, Slot>();
  let gainedTokens = 0;
  for (const [position, here] of editsByMessage(edits)) {
    const before = sent.slotAt(position);
    if (before === undefined) continue;
    const after = editSlot(before, here, context);
    gainedTokens += counter.countMessage(before.message) - counter.countMessage(after.message);
    changed.set(position, after);
  }
  return gainedTokens > 0 ? changed : new Map();
}

/** A splice whose reference is in raw coordinates already. */
function resolveRaw({ from, to, text, reference }: Splice, { rawAt }: SentMessages, hash: Hash): ResolvedSplice {
  if (typeof text !== "string" || reference === undefined) {
    throw new LonghaulError("internal.bug", "only references are added");
  }
  const { target } = reference;
  const pointedTo = textIn(rawAt(target.message), target).slice(reference.from, reference.to);
  return { from, to, text, reference: { ...reference, hash: hash(pointedTo) } };
}
