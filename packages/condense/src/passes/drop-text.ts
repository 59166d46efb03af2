import type { Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content, Level } from "../content/content.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { indexesOf, type Range, rangesOf, tokensOf } from "../summaries/ranges.ts";
import { editsOf, type Saving, savingsUntil, spliceSaving } from "./operations.ts";
import { shortenMiddle, truncateHead } from "./shorten.ts";

/** Share of the budget reserved for the user's older messages. */
const USER_SHARE = 0.1;

/** Characters kept of the assistant's text beside a tool call. */
const REMARK_CHARS = 200;

/**
 * Drops text messages from the middle of a conversation, oldest first, until the target is reached: first the assistant's, then the user's,
 * which keep a tenth of the budget. Messages with tool calls or results stay.
 */
export function dropText(startShare: number): Pass {
  return { id: "drop-text", name: "Drop older text", plan: (view) => planDrops(view, startShare) };
}

function planDrops(view: View, startShare: number): Edit[] {
  const middle = indexesOf(middleRange(view, startShare));
  const kinds = messageKinds(view);
  const over = view.tokens - view.limits.targetTokens;
  const dropped = new Set<number>();
  const assistantTokens = dropUntil(
    view,
    middle.filter((index) => kinds[index] === "assistant"),
    { over, dropped },
  );
  const remarks = shortenRemarks(view, middle, { kinds, over: over - assistantTokens });
  dropUntil(view, droppableUserMessages(view, middle, kinds), {
    over: over - assistantTokens - remarks.tokens,
    dropped,
  });
  return [...dropRanges(view, rangesOf([...dropped].sort((a, b) => a - b))), ...remarks.edits];
}

/** Adds messages to `dropped` until they save `over` tokens. Returns the tokens saved, minus the cost of the marks. */
function dropUntil(
  view: View,
  candidates: readonly number[],
  { over, dropped }: { readonly over: number; readonly dropped: Set<number> },
): number {
  let saved = 0;
  for (const index of candidates) {
    if (saved >= over) break;
    if (view.cuts()[index] !== true || view.cuts()[index + 1] !== true) continue;
    const joined = Number(dropped.has(index - 1)) + Number(dropped.has(index + 1));
    saved += (view.messageTokens[index] ?? 0) - (1 - joined) * GAP_TOKENS;
    dropped.add(index);
  }
  return saved;
}

/** Returns the user's messages in the middle, oldest first, except for the newest ones that fit a tenth of the budget. */
function droppableUserMessages(view: View, middle: readonly number[], kinds: readonly Kind[]): number[] {
  let left = view.limits.budgetTokens * USER_SHARE;
  const words = middle.filter((index) => kinds[index] === "user");
  const lastGone = words.findLastIndex((index) => {
    left -= view.messageTokens[index] ?? 0;
    return left < 0;
  });
  return words.slice(0, lastGone + 1);
}

/** Truncates the assistant's text beside its tool calls. */
function shortenRemarks(
  view: View,
  middle: readonly number[],
  { kinds, over }: { readonly kinds: readonly Kind[]; readonly over: number },
): { edits: readonly Edit[]; tokens: number } {
  const inMiddle = new Set(middle);
  const isRemark = ({ at, level, role }: Content) =>
    level === "text" && role === "assistant" && inMiddle.has(at.message) && kinds[at.message] === "tool";
  const savings = savingsUntil(over, view.contents().contents.filter(isRemark), (content) =>
    spliceSaving(content, truncateHead(content, { maxChars: REMARK_CHARS }), view.counter),
  );
  return { edits: editsOf(savings), tokens: sum(savings.map((saving) => saving.tokens)) };
}

/** Typical tokens of the mark that the engine puts at a gap. */
export const GAP_TOKENS = 15;

/** Drops each range that is larger than the mark of its gap. A conversation that starts with the user still does. */
export function dropRanges(view: View, ranges: readonly Range[]): Edit[] {
  return ranges
    .map((range) => openingWithUser(view, range))
    .filter((range) => tokensOf(view, range) > GAP_TOKENS)
    .map((range) => ({ kind: "replace", ...range, with: [], reason: "drop" }));
}

/** Shortens a range at the start of a conversation that opens with a message of the user, so that it still does. */
export function openingWithUser(view: View, { from, to }: Range): Range {
  const { messages } = view.conversation;
  const start = messages.findIndex(({ role }) => role !== "system");
  const opensNow = start >= from && messages[start]?.role === "user";
  if (!opensNow || messages[to]?.role !== "assistant") return { from, to };
  const isOpening = (index: number) => view.cuts()[index] === true && messages[index]?.role === "user";
  const opening = indexesOf({ from, to }).findLast(isOpening);
  return { from, to: opening ?? from };
}

/** Share of the target for the newest messages, as far as the start leaves it; the newest step always stays. */
const END_SHARE = 0.5;

/** Returns the range between the start and the end of a conversation, which are kept. */
export function middleRange(view: View, startShare: number): Range {
  const cuts = view.cuts();
  const room = roomForMessages(view);
  let from = 0;
  for (let index = 0, used = 0; index < view.messageTokens.length; index++) {
    used += view.messageTokens[index] ?? 0;
    if (used > room * startShare) break;
    if (cuts[index + 1] === true) from = index + 1;
  }
  const endTokens = room * Math.min(END_SHARE, 1 - startShare);
  const end = view.messageTokens.length;
  let to = end;
  for (let index = end - 1, used = 0; index > from; index--) {
    used += view.messageTokens[index] ?? 0;
    // An agent that never sees the result of its last call keeps calling.
    if (used > endTokens && to < end) break;
    if (cuts[index] === true) to = index;
  }
  return { from, to };
}

/** Tokens that the target leaves for messages, after the system prompt and the tools. */
function roomForMessages({ limits, tokens, messageTokens }: View): number {
  const fixed = tokens - sum(messageTokens);
  return Math.max(0, limits.targetTokens - fixed);
}

/** Kind of a message; `fixed` and `tool` messages are never dropped. */
export type Kind = "fixed" | "tool" | "user" | "assistant";

export function messageKinds(view: View): Kind[] {
  const { contents, userAuthored } = view.contents();
  const toolMessages = new Set<number>();
  for (const { at, use } of contents)
    if (use !== undefined && !CLIENT_ADDITIONS.has(use.name)) toolMessages.add(at.message);
  return view.conversation.messages.map((message, index) => {
    if (isFixed(message) || view.isMade(index) || isTask(view, index)) return "fixed";
    if (toolMessages.has(index) || message.blocks.some(isToolBlock)) return "tool";
    return userAuthored[index] === true ? "user" : "assistant";
  });
}

/** Additions by clients to user messages. */
const CLIENT_ADDITIONS: ReadonlySet<string> = new Set(["environment_details", "client_note"]);

function isTask({ latestUserMessage, firstUserMessage }: View, index: number): boolean {
  return index === latestUserMessage || index === firstUserMessage;
}

function isFixed({ role, blocks }: Message): boolean {
  return role === "system" || blocks.some((block) => block.type === "compaction");
}

function isToolBlock({ type }: Message["blocks"][number]): boolean {
  return type === "tool-call" || type === "tool-result";
}

/** Shortens old results to a page, then to a few lines, then old arguments. */
export function shortenOlderTools(startShare: number): Pass[] {
  return SHORTENINGS.map((shortening) => shortenOlder(startShare, shortening));
}

interface Shortening {
  readonly id: string;
  readonly name: string;
  readonly level: Exclude<Level, "text">;
  readonly keepChars: number;
}

const SHORTENINGS: readonly Shortening[] = [
  { id: "shorten-results", name: "Shorten older results", level: "result", keepChars: 1_000 },
  { id: "cut-results", name: "Shorten older results further", level: "result", keepChars: 200 },
  { id: "shorten-arguments", name: "Shorten older arguments", level: "parameters", keepChars: 300 },
];

/** Shortens results or arguments in the middle of a conversation, oldest first, until the target is reached. */
function shortenOlder(startShare: number, { id, name, level, keepChars }: Shortening): Pass {
  return {
    id,
    name,
    plan: (view) => {
      const { from, to } = middleRange(view, startShare);
      const older = view
        .contents()
        .contents.filter((content) => content.level === level && from <= content.at.message && content.at.message < to);
      const savings = savingsUntil(view.tokens - view.limits.targetTokens, older, (content, overTokens) =>
        shorten(content, { keepChars, overTokens, counter: view.counter }),
      );
      return editsOf(savings);
    },
  };
}

interface Need {
  readonly keepChars: number;
  readonly overTokens: number;
  readonly counter: TokenCounter;
}

/** Factors by which more characters are cut than computed, because tokens are not spread evenly. */
const SPARES = [1.1, 1.5];

/** Shortens a content to `keepChars`, or only as far as needed. */
function shorten(content: Content, { keepChars, overTokens, counter }: Need): Saving | undefined {
  const cutTo = (chars: number) => spliceSaving(content, shortenMiddle(content, chars), counter);
  const most = cutTo(keepChars);
  if (most === undefined || most.tokens <= overTokens) return most;
  const shareOfChars = (content.text.length - keepChars) * (overTokens / most.tokens);
  const tries = SPARES.map((spare) => Math.max(keepChars, Math.floor(content.text.length - shareOfChars * spare)));
  for (const chars of tries) {
    const saving = cutTo(chars);
    if (saving !== undefined && saving.tokens >= overTokens) return saving;
  }
  return most;
}
