import type { Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { decompose } from "../content/contents.ts";
import { linksIn } from "../content/line-links.ts";
import type { Limits } from "../contract/view.ts";
import { type Change, joinPieces, type Piece } from "../edits/change.ts";
import { type Draft, type KeptSlot, keptSlot, makeDraft, type Slot } from "../edits/draft.ts";
import { OMISSION } from "../passes/marks.ts";
import { wholeCharacter } from "../passes/shorten.ts";

/** An answer of at most this many characters says little without its question: "A", "yes, do that". */
const SHORT_ANSWER_CHARS = 80;
/** Characters kept at the end of a question. */
const QUESTION_CHARS = 300;

interface QuestionContext {
  readonly counter: TokenCounter;
  readonly limits: Limits;
}

/**
 * Restores the end of each question that a short answer of the user refers to, with the definitions of its options, the newest first: the
 * latest one within the budget, the others within the target.
 */
export function withQuestions(draft: Draft, { counter, limits }: QuestionContext): Draft {
  let current = draft;
  for (const index of shortAnswers(draft).reverse()) {
    const restored = withQuestion(current, index);
    const maxTokens = current === draft ? limits.budgetTokens : limits.targetTokens;
    if (restored !== current && counter.countConversation(restored.conversation) <= maxTokens) current = restored;
  }
  return current;
}

/** Returns the raw indexes of short answers that are sent. */
function shortAnswers({ slots, conversation }: Draft): number[] {
  const { userAuthored } = decompose(conversation.messages);
  return slots.flatMap((slot, position) =>
    slot.kind === "kept" && userAuthored[position] === true && isShort(slot.message) ? [slot.index] : [],
  );
}

function isShort({ blocks }: Message): boolean {
  const chars = blocks.map((block) => (block.type === "text" ? block.text.length : Number.POSITIVE_INFINITY));
  return chars.reduce((sum, length) => sum + length, 0) <= SHORT_ANSWER_CHARS;
}

/** Returns the draft with the end of the assistant message before a raw message, or the draft itself if that is not a question or is sent. */
function withQuestion(draft: Draft, answer: number): Draft {
  const index = answer - 1;
  const message = draft.raw.messages[index];
  const block = message?.blocks.findLastIndex(({ type }) => type === "text") ?? -1;
  const found = message?.blocks[block];
  if (message?.role !== "assistant" || found?.type !== "text" || hasCalls(message)) return draft;
  if (!found.text.slice(startOfEnd(found.text)).includes("?")) return draft;
  const position = draft.slots.findIndex((slot) => slot.kind === "kept" && slot.index === answer);
  const before = draft.slots[position - 1];
  const question = { message, index, block, text: found.text };
  if (before?.kind === "kept" && before.index === index) {
    const slot = withEnd(before, question);
    return slot === before ? draft : makeDraft(draft.raw, draft.slots.with(position - 1, slot));
  }
  if (before === undefined || (before.kind === "made" && (before.to !== answer || before.from === index))) return draft;
  const shortened: Slot = before.kind === "made" ? { ...before, to: index } : before;
  const start = draft.slots.slice(0, position - 1);
  return makeDraft(draft.raw, [...start, shortened, endOf(question), ...draft.slots.slice(position)]);
}

function hasCalls({ blocks }: Message): boolean {
  return blocks.some(({ type }) => type === "tool-call");
}

interface Question {
  readonly message: Message;
  readonly index: number;
  readonly block: number;
  readonly text: string;
}

/** Returns a slot with only the end of a question. */
function endOf({ message, index, block, text }: Question): KeptSlot {
  const others = [...message.blocks.keys()].filter((other) => other !== block);
  const from = startOfEnd(text);
  const cut: Change[] = from === 0 ? [] : [{ kind: "text", block, path: [], pieces: lastPieces([], text) }];
  const gone = others.map((other): Change => ({ kind: "gone", block: other, path: [] }));
  return keptSlot(message, index, [...gone, ...cut]);
}

/** Returns a slot whose text ends with the end of the question. */
function withEnd(slot: KeptSlot, { message, index, block, text }: Question): KeptSlot {
  const from = startOfEnd(text);
  const change = slot.changes.find((entry) => entry.block === block);
  if (change === undefined) return slot;
  const pieces = change.kind === "text" ? change.pieces : [];
  const isSent = ({ from: start, to }: Span) =>
    pieces.some((piece) => !("made" in piece) && piece.from <= start && piece.to >= to);
  if ([...definitionsFor(text, from), { from, to: text.trimEnd().length }].every(isSent)) return slot;
  const others = slot.changes.filter((entry) => entry !== change);
  return keptSlot(message, index, [...others, { kind: "text", block, path: [], pieces: lastPieces(pieces, text) }]);
}

/** Returns the pieces before the end of a text, a mark if something is missing between them, and the end. */
function lastPieces(pieces: readonly Piece[], text: string): Piece[] {
  const from = startOfEnd(text);
  const lastKept = pieces.findLastIndex((piece) => !("made" in piece) && piece.from < from);
  const head = pieces
    .slice(0, lastKept + 1)
    .map((piece) => ("made" in piece ? piece : { from: piece.from, to: Math.min(piece.to, from) }));
  const last = head.at(-1);
  const isNext = last !== undefined && !("made" in last) && last.to === from;
  const gap = isNext || from === 0 ? [] : [GAP];
  const end = [...head, ...gap, { from, to: text.length }];
  return joinPieces(definitionsFor(text, from).reduce(insert, end));
}

const GAP: Piece = { made: `${OMISSION}\n` };

/** A part of a text. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Most characters of definitions before the end of a question. */
const DEFINITIONS_CHARS = 900;

/** Returns the lines before the end of a text that define the options or steps which the end refers to. */
function definitionsFor(text: string, end: number): Span[] {
  const lines = linesOf(text);
  const links = linksIn(text, lines);
  const needed = lines.flatMap(({ to }, index) => (to > end ? (links.get(index) ?? []) : []));
  let left = DEFINITIONS_CHARS;
  return [...new Set(needed)].flatMap((index) => {
    const line = lines[index];
    if (line === undefined || line.to > end || line.to - line.from > left) return [];
    left -= line.to - line.from;
    return [line];
  });
}

function linesOf(text: string): Span[] {
  const lines: Span[] = [];
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end + 1;
    lines.push({ from, to });
    from = to;
  }
  return lines;
}

/** Adds a span of the text to its pieces, with a mark on either side where something is still missing. */
function insert(pieces: readonly Piece[], { from, to }: Span): Piece[] {
  const at = pieces.findIndex((piece) => !("made" in piece) && piece.to > from);
  const next = pieces[at];
  if (next === undefined || "made" in next) return [...pieces];
  if (next.from <= from) return next.to >= to ? [...pieces] : insert(pieces, { from: next.to, to });
  const last = pieces.slice(0, at).findLastIndex((piece) => !("made" in piece));
  const before = pieces[last];
  const start = before === undefined || "made" in before ? 0 : before.to;
  const marks = pieces.slice(last + 1, at);
  const gap = start === from ? [] : marks.length > 0 ? marks : [GAP];
  const end = Math.min(to, next.from);
  const rest = end < next.from ? [GAP] : [];
  return [...pieces.slice(0, last + 1), ...gap, { from, to: end }, ...rest, ...pieces.slice(at)];
}

/** Returns where the end of a text begins: at the start of the line that the last characters begin in. */
function startOfEnd(text: string): number {
  const at = text.trimEnd().length - QUESTION_CHARS;
  if (at <= 0) return 0;
  const line = text.lastIndexOf("\n", at) + 1;
  return at - line <= QUESTION_CHARS ? line : wholeCharacter(text, at);
}
