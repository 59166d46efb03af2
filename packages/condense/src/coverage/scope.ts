import type { Content } from "../content/content.ts";
import { type LocatedMedia, mediaIn } from "../content/media.ts";
import type { View } from "../contract/view.ts";
import { latestLists } from "../facts/fact.ts";
import { earlierSummary, indexesOf, type Range } from "../summaries/ranges.ts";

/** The messages that are kept verbatim, and the division of the others. */
export interface Scope {
  /** Messages from here on are kept verbatim. */
  readonly tailFrom: number;
  /** The earlier messages, split at every legal cut: each step is kept or dropped whole. */
  readonly steps: readonly Range[];
  /** Whether a content before the tail is kept verbatim. */
  isVerbatim(content: Content): boolean;
  /** Whether a step must be kept. */
  isKept(step: Range): boolean;
  /** Images and documents that are dropped even if their step is kept. */
  mediaToDrop(step: Range): readonly LocatedMedia[];
}

/** How much is kept verbatim, as shares of the token budget for messages. */
export interface ScopeShares {
  /** The latest messages. */
  readonly tail: number;
  /** The newest step, if it is larger than the tail's share. Above 1, it stays whole even if the task has to be cut for it. */
  readonly newest: number;
  /** The user's text. */
  readonly user: number;
}

/** The first user message is kept verbatim up to this share of the token budget for messages, whatever the user's share is. */
const TASK_SHARE = 0.5;
/** A task of this size is always kept verbatim. */
const TASK_TOKENS = 500;

/** Determines what is kept verbatim within a token budget for messages. */
export function scopeOf(view: View, shares: ScopeShares, messageBudgetTokens: number): Scope {
  const tailFrom = startOfTail(view, shares, messageBudgetTokens);
  const cutMessages = longestUserMessages(view, tailFrom, {
    allowedTokens: shares.user * messageBudgetTokens,
    taskTokens: Math.max(TASK_TOKENS, TASK_SHARE * messageBudgetTokens),
  });
  const latest = view.latestUserMessage;
  const { userAuthored, contents } = view.contents();
  const lists = latestLists(contents);
  const steps = stepsBefore(view, tailFrom);
  const isNewest = ({ to }: Range) => to === view.conversation.messages.length;
  const newestFrom = steps.find(isNewest)?.from ?? Number.POSITIVE_INFINITY;
  const isUserText = ({ level, role, at }: Content) =>
    level === "text" && role === "user" && userAuthored[at.message] === true;
  return {
    tailFrom,
    steps,
    isVerbatim: (content) =>
      content.role === "system" ||
      (content.level === "parameters" && lists.has(content.at.message)) ||
      view.isMade(content.at.message) ||
      (isUserText(content) && !cutMessages.has(content.at.message)) ||
      (content.at.message >= newestFrom && isShortAnswer(content)) ||
      (content.at.message === latest && isBesideUserText(content, view)),
    isKept: (step) =>
      isNewest(step) ||
      indexesOf(step).some(
        (index) => userAuthored[index] === true || mustStay(view, index) || index === latest || lists.has(index),
      ),
    mediaToDrop: ({ from, to }) =>
      view.conversation.messages
        .slice(from, to)
        .flatMap((message, offset) => mediaIn(message, from + offset))
        .filter(({ at }) => at.path.length > 0 || cutMessages.has(at.message)),
  };
}

/** The assistant's newest text up to this length says what it does next. */
const ANSWER_CHARACTERS = 600;

function isShortAnswer({ level, role, text }: Content): boolean {
  return level === "text" && role === "assistant" && text.length <= ANSWER_CHARACTERS;
}

function startOfTail(view: View, { tail, newest }: ScopeShares, budgetTokens: number): number {
  const { length } = view.conversation.messages;
  let from = length;
  let tokens = 0;
  for (let index = length - 1; index >= 0; index--) {
    tokens += view.messageTokens[index] ?? 0;
    const share = from === length ? Math.min(1, Math.max(tail, newest)) : tail;
    if (tokens > share * budgetTokens) break;
    if (view.cuts()[index] === true) from = index;
  }
  return from;
}

/** Returns the longest user messages, those over the user's share: their text is cut by line and their images are dropped. */
function longestUserMessages(
  view: View,
  tailFrom: number,
  { allowedTokens, taskTokens }: { readonly allowedTokens: number; readonly taskTokens: number },
): ReadonlySet<number> {
  const { contents, userAuthored } = view.contents();
  const sizes = new Map<number, number>();
  for (const { at, level, role, text } of contents) {
    const isOwn = level === "text" && role === "user" && userAuthored[at.message] === true && at.message < tailFrom;
    if (isOwn) sizes.set(at.message, (sizes.get(at.message) ?? 0) + view.counter.countText(text));
  }
  for (const { at, block } of view.conversation.messages.slice(0, tailFrom).flatMap(mediaIn)) {
    const isShown = userAuthored[at.message] === true && at.path.length === 0;
    if (isShown) sizes.set(at.message, (sizes.get(at.message) ?? 0) + view.counter.countBlock(block));
  }
  sizes.delete(view.latestUserMessage);
  if ((sizes.get(view.firstUserMessage) ?? 0) <= taskTokens) sizes.delete(view.firstUserMessage);
  const cut = repeatedMessages(contents, sizes);
  let tokens = 0;
  const others = [...sizes].filter(([message]) => !cut.has(message));
  for (const [message, size] of others.sort((a, b) => a[1] - b[1] || b[0] - a[0])) {
    tokens += size;
    if (tokens > allowedTokens) cut.add(message);
  }
  return cut;
}

/** Shorter repeats of the user are their own words, such as "continue"; longer ones are instructions or objections that the client sends again. */
const REPEATED_CHARACTERS = 200;

/** Returns the messages whose long texts all occur in an earlier message. */
function repeatedMessages(contents: readonly Content[], among: ReadonlyMap<number, number>): Set<number> {
  const seen = new Set<string>();
  const repeated = new Map<number, boolean>();
  for (const { at, level, role, text } of contents) {
    if (level !== "text" || role !== "user" || text.length < REPEATED_CHARACTERS) continue;
    repeated.set(at.message, seen.has(text) && repeated.get(at.message) !== false);
    seen.add(text);
  }
  return new Set([...repeated].flatMap(([message, isRepeat]) => (isRepeat && among.has(message) ? [message] : [])));
}

function stepsBefore(view: View, end: number): Range[] {
  const starts = indexesOf({ from: 0, to: end }).filter((index) => index === 0 || view.cuts()[index] === true);
  return starts.map((from, step) => ({ from, to: starts[step + 1] ?? end }));
}

/** Instructions, summaries and compacted messages have no other copy. */
function mustStay(view: View, index: number): boolean {
  const message = view.conversation.messages[index];
  const isCompacted = message?.blocks.some((block) => block.type === "compaction") ?? false;
  return message?.role === "system" || isCompacted || earlierSummary(view, index) !== undefined;
}

/** Whether a content is in the same block as text from the user. */
function isBesideUserText({ at }: Content, view: View): boolean {
  return view
    .contents()
    .contents.some((other) => other.at.message === at.message && other.at.block === at.block && other.level === "text");
}
