import type { Message } from "@longhaul/conversation";
import { aroundTags, withoutRanges } from "../content/client-tags.ts";
import type { Content, ToolUse } from "../content/content.ts";
import { isRemovedText } from "../content/file-changes.ts";
import { type LocatedMedia, mediaMark } from "../content/media.ts";
import { actionOf } from "../content/tool-action.ts";
import type { View } from "../contract/view.ts";
import type { Edit, Splice } from "../edits/edit.ts";
import type { InnerEdit } from "../edits/edit-slot.ts";
import { sum } from "../edits/lists.ts";
import { textAt } from "../edits/text-position.ts";
import { commitLine, failureLine, hasFailed, isShortOutcome } from "../facts/failures.ts";
import { openingWithUser } from "../passes/drop-text.ts";
import { amountOf, argumentMark, LEFT_OUT, leftOutMark, OMISSION, writtenFiles } from "../passes/marks.ts";
import { mergeSplices } from "../passes/operations.ts";
import { wholeCharacter } from "../passes/shorten.ts";
import { indexesOf, joinRanges, type Range } from "../summaries/ranges.ts";
import type { CandidateText } from "./candidate-lines.ts";
import type { Candidates, LineChoice } from "./choose.ts";
import type { Scope } from "./scope.ts";

/** A gap must be this many characters longer than its mark: a mark in place of a short line saves little and says less, above all in a task. */
const MARK_WORTH = { user: 120, other: 30 } as const;

/** Plans the edits that omit everything not chosen. */
export function planOmissions(view: View, { scope, candidates, choice }: ChosenLines): Edit[] {
  const texts = candidates.lines.texts.filter(({ group }) => choice.isKept(group));
  const calling = new Set(
    view.contents().contents.flatMap(({ level, at }) => (level === "parameters" ? [at.message] : [])),
  );
  const emptied = emptiedEdits(texts, { candidates, choice });
  const cuts = mergeSplices(texts.flatMap((text) => cutText(text, view, { candidates, choice, calling, emptied })));
  const kept = scope.steps.filter((_, step) => choice.isKept(step));
  const inner = cuts.filter((edit) => edit.kind !== "replace");
  const media = kept.flatMap((step) => scope.mediaToDrop(step)).map(dropMedia);
  return [...inner, ...media, ...droppedRanges(view, scope, choice).map(dropRange)];
}

/** The chosen lines, the candidates, and the scope. */
export interface ChosenLines {
  readonly scope: Scope;
  readonly candidates: Candidates;
  readonly choice: LineChoice;
}

function droppedRanges(view: View, { steps }: Scope, choice: LineChoice): Range[] {
  const dropped = joinRanges(steps.filter((_, step) => !choice.isKept(step)));
  return dropped
    .map((range) => openingWithUser(view, range))
    .flatMap((range) => betweenAssistants(view, range))
    .filter(({ from, to }) => from < to);
}

/** Keeps a message of the user where two assistant messages would become adjacent. */
function betweenAssistants(view: View, { from, to }: Range): Range[] {
  const { messages } = view.conversation;
  if (messages[from - 1]?.role !== "assistant" || messages[to]?.role !== "assistant") return [{ from, to }];
  const isAlone = (index: number) => view.cuts()[index] === true && view.cuts()[index + 1] === true;
  const kept = indexesOf({ from, to }).findLast((index) => messages[index]?.role === "user" && isAlone(index)) ?? to;
  return [
    { from, to: kept },
    { from: kept + 1, to },
  ];
}

function dropMedia(media: LocatedMedia): InnerEdit {
  return { kind: "remove", at: media.at, left: mediaMark(media), reason: "cover" };
}

/** Drops a range without a trace: the engine marks the gap. */
function dropRange({ from, to }: Range): Edit {
  return { kind: "replace", from, to, with: [], reason: "drop" };
}

interface CutContext extends Pick<ChosenLines, "candidates" | "choice"> {
  /** Messages that call tools, possibly in their text. */
  readonly calling: ReadonlySet<number>;
  /** Edits whose new text is left out. */
  readonly emptied: ReadonlySet<ToolUse>;
}

/** Returns the edits of which no new line is chosen: what they removed must not look like the state of the file. */
function emptiedEdits(
  texts: readonly CandidateText[],
  chosen: Pick<ChosenLines, "candidates" | "choice">,
): Set<ToolUse> {
  const edits = new Set<ToolUse>();
  const filled = new Set<ToolUse>();
  for (const text of texts) {
    const { use, level } = text.content;
    if (level !== "parameters" || use === undefined || actionOf(use) !== "edit" || isRemovedText(text.content))
      continue;
    edits.add(use);
    if (!isWhole(text.content, gapsIn(text, chosen))) filled.add(use);
  }
  return new Set([...edits].filter((use) => !filled.has(use)));
}

function isWhole({ text }: Content, [gap, ...others]: readonly Range[]): boolean {
  return others.length === 0 && gap?.from === 0 && gap.to === text.length;
}

function cutText(text: CandidateText, { conversation, firstUserMessage }: View, chosen: CutContext): InnerEdit[] {
  const { content, fate } = text;
  if (fate !== undefined) return cutEdit(content);
  const message = conversation.messages[content.at.message];
  const isBesideCall = content.role === "assistant" && chosen.calling.has(content.at.message);
  const found = aroundEssential(content, gapsIn(text, chosen), isBesideCall);
  const isAll = isWhole(content, found);
  const isOfUser = content.level === "text" && content.role === "user";
  const isTask = isOfUser && content.at.message === firstUserMessage;
  const chosenGaps = isTask ? betweenEnds(content, found) : isOfUser ? betweenLines(content, found) : found;
  const gaps = content.level === "parameters" ? chosenGaps : aroundTags(content.text, chosenGaps);
  const isRemovable = isBesideCall ? isWholeBlock(content, message) : isOnlyClientNote(content, message);
  if (isAll && isRemovable) return [{ kind: "remove", at: content.at, reason: "cover" }];
  if (isAll && isBesideCall && content.level === "text") return [removed(content)];
  const splices =
    content.level === "parameters"
      ? cutArgument(content, gaps, chosen.emptied)
      : gaps.flatMap((gap) => cutGap(content, gap) ?? []);
  return splices.length === 0 ? [] : [{ kind: "splice", at: content.at, splices, reason: "cover" }];
}

/** Replaces the result of an edit that is not left. The call stays: others may refer to it. */
const REPLACED = "[done; later changes replaced all of it]";

/** Leaves out a text of an edit that failed, or of which nothing is left. */
function cutEdit(content: Content): InnerEdit[] {
  const { at, from, to, level, text } = content;
  const mark = level === "result" ? REPLACED : argumentMark(content);
  const isWorth = level === "result" || text.length > mark.length + MARK_WORTH.other;
  return isWorth ? [{ kind: "splice", at, splices: [{ from, to, text: mark }], reason: "cover" }] : [];
}

/** Longest line that is kept in any case. */
const ESSENTIAL_CHARACTERS = 300;

/** Leaves the essential line of a text out of its gaps: why a tool failed, what was committed, or how an answer begins. */
export function aroundEssential(content: Content, gaps: readonly Range[], isBesideCall: boolean): Range[] {
  const line = essentialLine(content, isBesideCall);
  if (line === undefined) return [...gaps];
  return gaps
    .flatMap(({ from, to }) => [
      { from, to: Math.min(to, line.from) },
      { from: Math.max(from, line.to), to },
    ])
    .filter(({ from, to }) => from < to);
}

function essentialLine(content: Content, isBesideCall: boolean): Range | undefined {
  const { text } = content;
  const words = essentialWords(content, isBesideCall);
  if (words === undefined || words === "") return undefined;
  const at = content.level === "result" ? text.lastIndexOf(words) : text.indexOf(words);
  const from = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const to = end === -1 ? text.length : end + 1;
  return to - from > ESSENTIAL_CHARACTERS ? undefined : { from, to };
}

function essentialWords({ level, role, use, text }: Content, isBesideCall: boolean): string | undefined {
  if (level === "result" && use !== undefined) return hasFailed(use, text) ? failureLine(text) : commitLine(text);
  const isAnswer = level === "text" && role === "assistant" && !isBesideCall;
  return isAnswer ? text.split("\n").find((line) => line.trim() !== "") : undefined;
}

/** Longest first and last lines of the user's words that are always kept: what they say about a text that they paste. */
const EDGE_LINE_CHARS = 200;

/** Limits the gaps in the user's words to the lines between the first and the last one. */
function betweenLines({ text }: Content, gaps: readonly Range[]): Range[] {
  const first = text.indexOf("\n") + 1;
  const isShort = 0 < first && first <= EDGE_LINE_CHARS;
  const start = isShort ? first : wholeCharacter(text, Math.min(text.length, EDGE_LINE_CHARS));
  const last = text.lastIndexOf("\n", text.trimEnd().length - 1) + 1;
  const end = text.length - last <= EDGE_LINE_CHARS ? last : text.length;
  return within(gaps, { from: start, to: Math.max(start, end) });
}

/** Characters at either end of the task that are never left out. */
const TASK_END_CHARACTERS = 150;

/** Limits the gaps in the task to its middle. */
function betweenEnds({ text }: Content, gaps: readonly Range[]): Range[] {
  const start = wholeCharacter(text, Math.min(text.length, TASK_END_CHARACTERS));
  const end = wholeCharacter(text, Math.max(start, text.length - TASK_END_CHARACTERS));
  return within(gaps, { from: start, to: end });
}

function within(gaps: readonly Range[], { from: start, to: end }: Range): Range[] {
  return gaps
    .map(({ from, to }) => ({ from: Math.max(from, start), to: Math.min(to, end) }))
    .filter(({ from, to }) => from < to);
}

/** An argument stays whole if this share of it is chosen, or if no more than this would be left out. */
const WHOLE_SHARE = 0.7;
const SHORT_ARGUMENT_CHARS = 120;
/** Up to this many lines of a long argument say too little to be listed. */
const MOST_UNLISTED = { lines: 2, share: 0.2 } as const;

/**
 * Replaces an argument as a whole: with a mark, which lists the chosen lines if there are any. A model would copy a mark between the lines
 * of its own call into a file.
 */
function cutArgument(content: Content, gaps: readonly Range[], emptied: ReadonlySet<ToolUse>): Splice[] {
  const { text, from, to, use } = content;
  const kept = text.length - sum(gaps.map((gap) => gap.to - gap.from));
  const mark = argumentMark(content);
  if (use !== undefined && emptied.has(use) && isRemovedText(content)) return [{ from, to, text: mark }];
  if (kept >= WHOLE_SHARE * text.length || text.length - kept <= SHORT_ARGUMENT_CHARS) return [];
  const isShort = kept <= MOST_UNLISTED.share * text.length && linesBetween(text, gaps) <= MOST_UNLISTED.lines;
  if (kept === 0 || isShort) return [{ from, to, text: mark }];
  const missing = gaps.map((gap) => text.slice(gap.from, gap.to));
  return [
    { from, to: from, text: `[${amountOf(missing.join(""))}${writtenFiles(content)}${EXCEPT}` },
    ...gaps.map((gap) => ({ from: from + gap.from, to: from + gap.to, text: isLines(text, gap) ? "" : " " })),
    { from: to, to, text: "]" },
  ];
}

/** Counts the lines outside of the gaps in a text. */
function linesBetween(text: string, gaps: readonly Range[]): number {
  return withoutRanges(text, gaps)
    .split("\n")
    .filter((line) => line.trim() !== "").length;
}

/** Precedes the lines of an argument that are still there. */
const EXCEPT = " left out, except:\n";

function isLines(text: string, { from, to }: Range): boolean {
  return (from === 0 || text[from - 1] === "\n") && (to === text.length || text[to - 1] === "\n");
}

/** Returns the spans of a text without a chosen line. */
function gapsIn(
  { first, end }: CandidateText,
  { candidates: { lines }, choice }: Pick<ChosenLines, "candidates" | "choice">,
): Range[] {
  const left = indexesOf({ from: first, to: end }).filter((unit) => !choice.isChosen(unit));
  return joinRanges(left.map((unit) => ({ from: lines.from(unit), to: lines.to(unit) })));
}

/** Removes text of an assistant in a message that calls tools, without a mark. */
function removed({ at, from, to }: Content): InnerEdit {
  return { kind: "splice", at, splices: [{ from, to, text: "" }], reason: "cover" };
}

function isWholeBlock({ at, from, to }: Content, message: Message | undefined): boolean {
  const block = message?.blocks[at.block];
  return block?.type === "text" && from === 0 && to === textAt(block, [])?.length;
}

/** Tags around a client's note, such as the state of the editor. */
const ONLY_TAGS = /^\s*<[\w-]{1,60}>\s*<\/[\w-]{1,60}>\s*$/;

/** A text block with nothing but a client's note can be removed without a mark, if other blocks are left. */
function isOnlyClientNote({ at, from, to, use }: Content, message: Message | undefined): boolean {
  const block = message?.blocks[at.block];
  if (use?.callMessage !== -1 || block?.type !== "text" || message === undefined) return false;
  const isAlone = ONLY_TAGS.test(block.text.slice(0, from) + block.text.slice(to));
  return isAlone && message.blocks.length > 1;
}

/** Replaces a gap in a content with a mark, if it is long enough. */
export function cutGap(content: Content, gap: Range, words = gapMark(content, gap)): Splice | undefined {
  const { text, from: offset } = content;
  const { from, to } = gap;
  if (/^<\/[a-z_-]+>$/.test(text.slice(from, to))) return { from: offset + from, to: offset + to, text: "" };
  const mark = isLines(text, gap) && to < text.length ? `${words}\n` : words;
  const isOfUser = content.level === "text" && content.role === "user";
  if (to - from <= mark.length + (isOfUser ? MARK_WORTH.user : MARK_WORTH.other)) return undefined;
  return { from: offset + from, to: offset + to, text: mark };
}

/** A gap of more lines is worth saying how long it is, and a whole text of more lines what it was. */
const LONG_LINES = 100;

/** A text that is left out whole says what it was; the call or the other lines say so for a part of it. */
function gapMark(content: Content, { from, to }: Range): string {
  const missing = content.text.slice(from, to);
  const lines = missing.split("\n").length;
  const isWhole = to - from === content.text.length;
  if (isWhole && isConfirmation(content)) return DONE;
  if (isWhole && lines > LONG_LINES) return leftOutMark(content, missing);
  return isWhole || lines > LONG_LINES ? `[${amountOf(missing)}${LEFT_OUT}` : markIn(content);
}

/** Replaces an outcome that says no more than that the tool did what it does. */
const DONE = "[done]";

/** Whether a short outcome only confirms: an edit that was made, or a sentence that a tool always answers with. */
export function isRoutine({ text, use }: Content, isRepeated: boolean): boolean {
  if (use === undefined || hasFailed(use, text)) return false;
  const action = actionOf(use);
  return action === "write" || action === "edit" || (action === "other" && isRepeated);
}

/** Whether a result as a whole says no more than that the tool did what it does: it may also repeat the changed lines. */
function isConfirmation(content: Content): boolean {
  return content.level === "result" && isRoutine(content, isShortOutcome(content));
}

/** Marks a few lines omitted from a tool's output: there are many of these, and they take one token. */
const RESULT_OMISSION = "...";

/** Returns the usual mark for lines omitted from a content. In someone's own words, plain dots would look intended. */
export function markIn({ level }: Content): string {
  return level === "result" ? RESULT_OMISSION : OMISSION;
}
