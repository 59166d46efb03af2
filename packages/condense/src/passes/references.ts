import { type Hash, LonghaulError } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { ResolvedSplice } from "../edits/change.ts";
import { type Draft, makeDraft, type SentMessages, type Slot } from "../edits/draft.ts";
import type { Splice } from "../edits/edit.ts";
import { editSlot, editsByMessage } from "../edits/edit-slot.ts";
import { positionKey, textIn } from "../edits/text-position.ts";
import { planReferences, type SpliceEdit } from "../references/plan.ts";
import { openReferenceIndex, type ReferenceIndex } from "../references/reference-index.ts";
import { isRead, subjectKey } from "../references/subject.ts";

/** Where references may be used: nowhere, in tool results, or also in the assistant's texts and earlier whole arguments. */
export type ReferenceScope = "off" | "results" | "all";

/** Options of references. */
export interface ReferencesOptions {
  readonly references: ReferenceScope;
  /** Whether a whole result that the same operation returned before is marked as consolidated. @default false */
  readonly consolidates?: boolean;
}

/** Replaces lines that occur earlier with references to them. Lossless. */
export function referencesPass({ references, consolidates = false }: ReferencesOptions): Pass {
  return {
    id: "references",
    name: "References",
    plan: (view) => {
      if (references === "off") return [];
      const { contents } = view.contents();
      const planIn = (scope: ReferenceScope) => {
        const isSource = writableIn(contents, scope, { replacesArguments: true });
        return planReferences(view, { isSource, groupOf: () => "text", consolidates, reason: "reference" });
      };
      const inResults = planIn("results");
      return references === "all" ? larger(view, inResults, planIn("all")) : inResults;
    },
  };
}

/** Returns the plan that saves more: a reference in one text can split those in a later one. */
function larger(view: View, a: readonly SpliceEdit[], b: readonly SpliceEdit[]): readonly SpliceEdit[] {
  return savedTokens(view, b) > savedTokens(view, a) ? b : a;
}

function savedTokens({ conversation, counter }: View, edits: readonly SpliceEdit[]): number {
  let saved = 0;
  for (const { at, splices } of edits) {
    const text = textIn(conversation.messages[at.message], at);
    for (const { from, to, text: mark } of splices) {
      saved += counter.countText(text.slice(from, to)) - (typeof mark === "string" ? counter.countText(mark) : 0);
    }
  }
  return saved;
}

/** Replaces whole reads of a file that repeat an earlier read. */
export const repeatedReadsPass: Pass = {
  id: "repeated-reads",
  name: "Repeated reads",
  plan: (view) =>
    planReferences(view, {
      isSource: withoutUserText(view.contents().contents),
      groupOf: (content) => (isRead(content) && content.use?.isError === false ? "read" : undefined),
      needsWhole: () => true,
      reason: "reference",
    }),
};

/**
 * Returns a predicate for contents that may be replaced by references. Arguments count only if asked for, and never those of the latest
 * calls: the model goes on from them.
 */
export function writableIn(
  contents: readonly Content[],
  scope: ReferenceScope,
  { replacesArguments = false }: { readonly replacesArguments?: boolean } = {},
): (content: Content) => boolean {
  const isFree = withoutUserText(contents);
  const latest = contents.findLast(({ level }) => level === "parameters")?.at.message;
  return (content) => {
    if (!isFree(content)) return false;
    if (content.level === "parameters") return scope === "all" && replacesArguments && content.at.message !== latest;
    return content.level === "result" || (scope === "all" && content.role === "assistant");
  };
}

/** Returns a predicate for texts without the user's own text, which may share a text with a tool result. Only such texts may be edited. */
export function withoutUserText(contents: readonly Content[]): (content: Content) => boolean {
  const own = contents.filter(({ level, role }) => level === "text" && role === "user");
  const positions = new Set(own.map(({ at }) => positionKey(at)));
  return ({ at }) => !positions.has(positionKey(at));
}

/**
 * Consolidates results of the same operation (listing a folder, searching a pattern, running a command): parts that an earlier result
 * contains become references to it. Different lines and errors are kept.
 */
export const consolidatePass: Pass = {
  id: "consolidate",
  name: "Consolidation",
  plan: (view) =>
    planReferences(view, {
      isSource: withoutUserText(view.contents().contents),
      groupOf: subjectKey,
      consolidates: true,
      reason: "consolidate",
    }),
};

/** How to add references to messages that are sent for the first time. */
export interface AddReferencesOptions extends ReferencesOptions {
  /** Messages of the draft before this position were sent before: they stay unchanged and may be targets. */
  readonly from: number;
  readonly counter: TokenCounter;
  readonly hash: Hash;
  /** Index from earlier turns of this conversation, which saves reading it again. The new messages are added to it. */
  readonly index?: ReferenceIndex;
}

/**
 * Adds references to the messages from `from` on. If this is done whenever messages are sent for the first time, each message keeps its
 * form on every later turn. Returns the identical draft if there is nothing to gain.
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
 * Like `addReferences`, for a conversation that is read on demand: returns the changed new messages by position. It reads only new
 * messages, messages whose calls they answer, and targets of references.
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

/** Resolves a splice whose reference is already in raw coordinates. */
function resolveRaw({ from, to, text, reference }: Splice, { rawAt }: SentMessages, hash: Hash): ResolvedSplice {
  if (typeof text !== "string" || reference === undefined) {
    throw new LonghaulError("internal.bug", "splice without a reference");
  }
  const { target } = reference;
  const pointedTo = textIn(rawAt(target.message), target).slice(reference.from, reference.to);
  return { from, to, text, reference: { ...reference, hash: hash(pointedTo) } };
}
