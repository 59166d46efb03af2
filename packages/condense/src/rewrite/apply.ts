import { type Block, type Hash, LonghaulError, type Message, textBlock } from "@longhaul/conversation";
import type { ResolvedSplice } from "../edits/change.ts";
import { type Draft, type MadeSlot, makeDraft, rawEnd, rawSpan, rawStart, type Slot } from "../edits/draft.ts";
import { type Answer, type Ask, asksIn, type Edit, type MadeMessage, type Splice } from "../edits/edit.ts";
import { editSlot, editsByMessage } from "../edits/edit-slot.ts";
import { textIn } from "../edits/text-position.ts";
import { resolveReferences } from "../references/resolve.ts";

type ReplaceEdit = Extract<Edit, { kind: "replace" }>;

type SuccessfulAnswer = Exclude<Answer, { kind: "failed" }>;
type AnswerOf = (ask: Ask) => SuccessfulAnswer;

/** The context of `apply`, in addition to the plan. */
export interface ApplyContext {
  /** In the order of `asksIn(edits)`. */
  readonly answers: readonly Answer[];
  readonly hash: Hash;
}

/**
 * The only place where a conversation is rewritten. Messages without edits are the identical objects, and an empty plan returns the
 * identical draft. References whose target the plan removed are repaired. Throws `condense.failed` for a failed or missing answer.
 */
export function apply(draft: Draft, edits: readonly Edit[], { answers, hash }: ApplyContext): Draft {
  if (edits.length === 0) return draft;
  const answerOf = answerLookup(edits, answers);
  const resolve = (splice: Splice): ResolvedSplice => resolveSplice(draft, splice, { answerOf, hash });
  const inner = editsByMessage(edits.filter((edit) => edit.kind !== "replace"));
  const slots = draft.slots.map((slot, index) => {
    const here = inner.get(index);
    return here === undefined ? slot : editSlot(slot, here, { rawAt: (raw) => draft.raw.messages[raw], resolve });
  });
  const ranges = edits.filter((edit) => edit.kind === "replace").sort((a, b) => a.from - b.from);
  return resolveReferences(makeDraft(draft.raw, replaceRanges(slots, ranges, answerOf)), hash, draft);
}

function answerLookup(edits: readonly Edit[], answers: readonly Answer[]): AnswerOf {
  const byAsk = new Map(asksIn(edits).map((ask, index) => [ask, answers[index]]));
  return (ask) => {
    const answer = byAsk.get(ask);
    if (answer === undefined) throw new LonghaulError("condense.failed", "an ask has no answer");
    if (answer.kind === "failed") throw new LonghaulError("condense.failed", answer.why);
    return answer;
  };
}

function resolveSplice(draft: Draft, splice: Splice, context: { answerOf: AnswerOf; hash: Hash }): ResolvedSplice {
  const { from, to, reference } = splice;
  const text = typeof splice.text === "string" ? splice.text : textOf(context.answerOf(splice.text));
  if (reference === undefined) return { from, to, text };
  const { target: position, from: start, to: end, ...formats } = reference;
  const { target, span } = rawSpan(draft, position, { from: start, to: end });
  const pointedTo = textIn(draft.raw.messages[target.message], target).slice(span.from, span.to);
  return { from, to, text, reference: { target, ...span, hash: context.hash(pointedTo), ...formats } };
}

function textOf(answer: SuccessfulAnswer): string {
  if (answer.kind === "text") return answer.text.trim();
  throw new LonghaulError("condense.failed", "a compaction block cannot replace part of a text");
}

function replaceRanges(slots: readonly Slot[], edits: readonly ReplaceEdit[], answerOf: AnswerOf): Slot[] {
  const out: Slot[] = [];
  let at = 0;
  for (const edit of edits) {
    if (edit.from < at || edit.to > slots.length || edit.to < edit.from) {
      throw new LonghaulError("internal.bug", `cannot replace messages ${edit.from} to ${edit.to}`);
    }
    out.push(...slots.slice(at, edit.from));
    const range = rawRange(slots, edit);
    out.push(
      ...edit.with.map((made): MadeSlot => {
        const message = makeMessage(made, answerOf);
        return {
          kind: "made",
          message,
          ...range,
          ...sinceOf(slots.slice(made.since ?? edit.from, edit.to), range.from),
        };
      }),
    );
    at = edit.to;
  }
  return [...out, ...slots.slice(at)];
}

function rawRange(slots: readonly Slot[], { from, to }: ReplaceEdit): { from: number; to: number } {
  const first = slots[from];
  const start = first === undefined ? 0 : rawStart(first);
  // A summary reaches past pinned messages that follow it.
  return { from: start, to: Math.max(start, ...slots.slice(from, to).map(rawEnd)) };
}

/** Returns the first raw message that a generated one is about, if it is earlier than those that it replaces. */
function sinceOf(slots: readonly Slot[], from: number): Pick<MadeSlot, "since"> {
  const starts = slots.map((slot) => (slot.kind === "made" ? (slot.since ?? slot.from) : rawStart(slot)));
  const since = Math.min(from, ...starts);
  return since < from ? { since } : {};
}

function makeMessage({ role, parts }: MadeMessage, answerOf: AnswerOf): Message {
  const resolved = parts.map((part) => (typeof part === "string" ? part : answerOf(part)));
  const compaction = resolved.find((part) => typeof part !== "string" && part.kind === "compaction");
  if (typeof compaction === "object" && compaction.kind === "compaction") {
    return { role: "assistant", blocks: [compaction.block] };
  }
  const text = resolved.map((part) => (typeof part === "string" ? part : textOf(part))).join("");
  return { role, blocks: [textBlock(text) satisfies Block] };
}
