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
import type { Choice, Market } from "./choose.ts";
import type { Scope } from "./scope.ts";
import type { SuppliedText } from "./supply.ts";

/** A gap must be this much longer than its mark for the mark to be worth it. */
const MARK_WORTH = 4;

/** The edits that leave out what was not chosen. One note tells what is missing. */
export function leaveOut(view: View, { scope, market, choice }: Chosen): Edit[] {
  const texts = market.supply.texts.filter(({ group }) => choice.isKept(group));
  const cuts = mergeSplices(texts.flatMap((text) => cutText(text, view.conversation.messages, { market, choice })));
  const kept = scope.steps.filter((_, step) => choice.isKept(step));
  const inner = cuts.filter((edit) => edit.kind !== "replace");
  const media = kept.flatMap((step) => scope.mediaToDrop(step)).map(dropMedia);
  return withNote(view, [...inner, ...media], droppedStretches(scope, choice));
}

/** What was chosen, of what, and where. */
export interface Chosen {
  readonly scope: Scope;
  readonly market: Market;
  readonly choice: Choice;
}

function droppedStretches({ steps }: Scope, choice: Choice): Range[] {
  return joinRanges(steps.filter((_, step) => !choice.isKept(step)));
}

function dropMedia({ at, block }: LocatedMedia): InnerEdit {
  return { kind: "remove", at, left: `⟨ ${block.type} left out ⟩`, reason: "cover" };
}

/** Puts the note before all that is missing, in the place of dropped messages where they come first. */
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

/** It tells both, in few words: a short conversation has little room for it. */
function leftOutNote(messages: number): MadeMessage {
  const gone = messages === 0 ? "" : `${messages} older ${messages === 1 ? "message" : "messages"} left out; `;
  return { role: "user", parts: [`⟨ ${gone}${LEFT_OUT} stands for lines left out ⟩`] };
}

/** Two messages of the assistant must not come to stand beside one another. */
function dropRange({ conversation: { messages } }: View, { from, to }: Range): ReplaceEdit {
  const isBetween = messages[from - 1]?.role === "assistant" && messages[to]?.role === "assistant";
  const made: MadeMessage[] = isBetween ? [{ role: "user", parts: [LEFT_OUT_BY_US] }] : [];
  return { kind: "replace", from, to, with: made, reason: "drop" };
}

type ReplaceEdit = Extract<Edit, { kind: "replace" }>;

function cutText(
  text: SuppliedText,
  messages: readonly Message[],
  chosen: Pick<Chosen, "market" | "choice">,
): InnerEdit[] {
  const { content } = text;
  const gaps = gapsIn(text, chosen);
  const isAll = gaps.length === 1 && gaps[0]?.from === 0 && gaps[0].to === content.text.length;
  if (isAll && isWordsBesideCall(content, messages[content.at.message])) {
    return [{ kind: "remove", at: content.at, reason: "cover" }];
  }
  const splices = gaps.flatMap((gap) => cutGap(content, gap) ?? []);
  return splices.length === 0 ? [] : [{ kind: "splice", at: content.at, splices, reason: "cover" }];
}

/** Stretches of a text of which no line was chosen. */
function gapsIn(
  { first, end }: SuppliedText,
  { market: { supply }, choice }: Pick<Chosen, "market" | "choice">,
): Range[] {
  const left = indexesOf({ from: first, to: end }).filter((unit) => !choice.isChosen(unit));
  return joinRanges(left.map((unit) => ({ from: supply.from(unit), to: supply.to(unit) })));
}

/** A whole text block of an assistant that also calls tools can go without a trace. */
function isWordsBesideCall({ at, from, to, role }: Content, message: Message | undefined): boolean {
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

/** Stands for lines left out between others. */
const LEFT_OUT = "…";

/** The same in what the assistant wrote: a model may copy its own past words, and dots in a file could not be told from some it meant. */
export const LEFT_OUT_BY_US = "⟨…⟩";

/** What stands for lines left out of a content. */
export function markIn({ role }: Content): string {
  return role === "assistant" ? LEFT_OUT_BY_US : LEFT_OUT;
}
