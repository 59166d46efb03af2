import type { Message } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import type { LocatedMedia } from "../content/media.ts";
import type { View } from "../contract/view.ts";
import type { Edit, MadeMessage, Splice } from "../edits/edit.ts";
import type { InnerEdit } from "../edits/edit-slot.ts";
import { sum } from "../edits/lists.ts";
import { textAt } from "../edits/text-position.ts";
import { mergeSplices } from "../passes/operations.ts";
import { indexesOf, joinRanges, type Range } from "../summaries/ranges.ts";
import type { CandidateText } from "./candidate-lines.ts";
import type { Candidates, LineChoice } from "./choose.ts";
import type { Scope } from "./scope.ts";

/** A gap must be this much longer than its mark. */
const MARK_WORTH = 4;

/** Plans the edits that omit everything not chosen. One note explains them. */
export function planOmissions(view: View, { scope, candidates, choice }: ChosenLines): Edit[] {
  const texts = candidates.lines.texts.filter(({ group }) => choice.isKept(group));
  const cuts = mergeSplices(texts.flatMap((text) => cutText(text, view.conversation.messages, { candidates, choice })));
  const kept = scope.steps.filter((_, step) => choice.isKept(step));
  const inner = cuts.filter((edit) => edit.kind !== "replace");
  const media = kept.flatMap((step) => scope.mediaToDrop(step)).map(dropMedia);
  return withNote(view, [...inner, ...media], droppedRanges(scope, choice));
}

/** The chosen lines, the candidates, and the scope. */
export interface ChosenLines {
  readonly scope: Scope;
  readonly candidates: Candidates;
  readonly choice: LineChoice;
}

function droppedRanges({ steps }: Scope, choice: LineChoice): Range[] {
  return joinRanges(steps.filter((_, step) => !choice.isKept(step)));
}

function dropMedia({ at, block }: LocatedMedia): InnerEdit {
  return { kind: "remove", at, left: `⟨ ${block.type} left out ⟩`, reason: "cover" };
}

/** Puts the note before everything omitted, in place of dropped messages if they come first. */
function withNote(view: View, inner: readonly InnerEdit[], dropped: readonly Range[]): Edit[] {
  const [first, ...rest] = dropped.map((range) => dropRange(view, range));
  const changed = inner.reduce((earliest, { at }) => Math.min(earliest, at.message), Number.POSITIVE_INFINITY);
  const note = leftOutNote(sum(dropped.map(({ from, to }) => to - from)));
  if (first !== undefined && first.from <= changed) return [...inner, { ...first, with: [note] }, ...rest];
  if (inner.length === 0) return [];
  const from = view.cuts().lastIndexOf(true, changed);
  const noted: Edit = { kind: "replace", from, to: from, with: [note], reason: "cover" };
  return [noted, ...inner, ...(first === undefined ? [] : [first]), ...rest];
}

/** Short, because a small conversation has little room for it. */
function leftOutNote(messages: number): MadeMessage {
  const gone = messages === 0 ? "" : `${messages} older ${messages === 1 ? "message" : "messages"} left out; `;
  return { role: "user", parts: [`⟨ ${gone}${OMISSION} stands for lines left out ⟩`] };
}

/** Two assistant messages must not become adjacent. */
function dropRange({ conversation: { messages } }: View, { from, to }: Range): ReplaceEdit {
  const isBetween = messages[from - 1]?.role === "assistant" && messages[to]?.role === "assistant";
  const made: MadeMessage[] = isBetween ? [{ role: "user", parts: [ASSISTANT_OMISSION] }] : [];
  return { kind: "replace", from, to, with: made, reason: "drop" };
}

type ReplaceEdit = Extract<Edit, { kind: "replace" }>;

function cutText(
  text: CandidateText,
  messages: readonly Message[],
  chosen: Pick<ChosenLines, "candidates" | "choice">,
): InnerEdit[] {
  const { content } = text;
  const gaps = gapsIn(text, chosen);
  const isAll = gaps.length === 1 && gaps[0]?.from === 0 && gaps[0].to === content.text.length;
  if (isAll && isTextBesideCall(content, messages[content.at.message])) {
    return [{ kind: "remove", at: content.at, reason: "cover" }];
  }
  const splices = gaps.flatMap((gap) => cutGap(content, gap) ?? []);
  return splices.length === 0 ? [] : [{ kind: "splice", at: content.at, splices, reason: "cover" }];
}

/** Returns the spans of a text without a chosen line. */
function gapsIn(
  { first, end }: CandidateText,
  { candidates: { lines }, choice }: Pick<ChosenLines, "candidates" | "choice">,
): Range[] {
  const left = indexesOf({ from: first, to: end }).filter((unit) => !choice.isChosen(unit));
  return joinRanges(left.map((unit) => ({ from: lines.from(unit), to: lines.to(unit) })));
}

/** A whole text block of an assistant that also calls tools can be removed without a mark. */
function isTextBesideCall({ at, from, to, role }: Content, message: Message | undefined): boolean {
  const block = message?.blocks[at.block];
  const isWhole = block?.type === "text" && from === 0 && to === textAt(block, [])?.length;
  return isWhole && role === "assistant" && message?.blocks.some(({ type }) => type === "tool-call") === true;
}

function cutGap(content: Content, { from, to }: Range): Splice | undefined {
  const { text, from: offset } = content;
  const isWholeLines = (from === 0 || text[from - 1] === "\n") && text[to - 1] === "\n";
  const mark = isWholeLines ? `${markIn(content)}\n` : markIn(content);
  if (to - from <= mark.length + MARK_WORTH) return undefined;
  return { from: offset + from, to: offset + to, text: mark };
}

/** Marks omitted lines. */
const OMISSION = "…";

/** Marks omitted lines in the assistant's own text: a model may copy it, and plain dots in a file would look intended. */
export const ASSISTANT_OMISSION = "⟨…⟩";

/** Returns the mark for lines omitted from a content. */
export function markIn({ role }: Content): string {
  return role === "assistant" ? ASSISTANT_OMISSION : OMISSION;
}
