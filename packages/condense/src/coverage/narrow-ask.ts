import { LonghaulError, type Message, pureHash, textMessage } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { Ask } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { renderAsk, renderMessages } from "../summaries/ask.ts";
import { planCover } from "./cover.ts";
import { digest } from "./digest.ts";

/** Who will answer an ask: how it counts, and how much it reads and writes at once. */
export interface SummarizerWindow {
  readonly counter: TokenCounter;
  readonly windowTokens: number;
}

/** Share of the window that is left free for errors of the count. */
const MARGIN = 0.05;
/** The answer takes at most this share of the window. */
const ANSWER_SHARE = 0.25;
/** An earlier summary takes at most this share of what there is room for. */
const PREVIOUS_SHARE = 0.5;
/** How much of the room is aimed at, in turn: what lines come to is known only once they are written down. */
const AIMS = [0.98, 0.85, 0.7] as const;

/**
 * The ask in a form that a summariser's window holds, with its answer. Messages that are too long are not cut off: of the older ones the
 * lines stay that say the most, all over the range. An ask that fits is the identical object; a window that does not even hold the
 * instructions throws `condense.failed`.
 */
export function narrowAsk(ask: Ask, { counter, windowTokens }: SummarizerWindow): Ask {
  const usable = Math.floor(windowTokens * (1 - MARGIN));
  if (counter.countText(renderAsk(ask)) + ask.maxTokens <= usable) return ask;
  const maxTokens = Math.min(ask.maxTokens, Math.floor(windowTokens * ANSWER_SHARE));
  const limited = { ...ask, maxTokens, expectedTokens: Math.min(ask.expectedTokens, maxTokens) };
  const room = usable - maxTokens;
  const brief = withShortPrevious(limited, { counter, room });
  const roomForMessages = room - counter.countText(renderAsk({ ...brief, messages: [] }));
  if (roomForMessages <= 0) {
    const why = `the summariser's window of ${windowTokens} tokens does not hold its instructions`;
    throw new LonghaulError("condense.failed", why);
  }
  return { ...brief, messages: narrowMessages(ask.messages, roomForMessages, counter) };
}

function withShortPrevious(ask: Ask, { counter, room }: { counter: TokenCounter; room: number }): Ask {
  const { previous } = ask;
  const allowed = Math.floor(PREVIOUS_SHARE * (room - counter.countText(ask.instructions)));
  if (previous === undefined || allowed <= 0 || counter.countText(previous) <= allowed) return ask;
  return { ...ask, previous: digest([textMessage("user", previous)], allowed, counter) };
}

function narrowMessages(messages: readonly Message[], roomTokens: number, counter: TokenCounter): readonly Message[] {
  const fits = (some: readonly Message[]) => counter.countText(renderMessages(some)) <= roomTokens;
  if (fits(messages)) return messages;
  for (const aim of AIMS) {
    const covered = coverMessages(messages, aim * roomTokens, counter);
    if (fits(covered)) return covered;
  }
  const [last = 0] = AIMS.slice(-1);
  return [textMessage("user", digest(messages, Math.floor(last * roomTokens), counter))];
}

/** Messages of which about so many tokens are left when they are written as text. */
function coverMessages(messages: readonly Message[], textTokens: number, counter: TokenCounter): readonly Message[] {
  const draft = openDraft({ system: [], tools: [], messages });
  const tokensPerText = counter.countConversation(draft.raw) / counter.countText(renderMessages(messages));
  const targetTokens = Math.floor(textTokens * tokensPerText);
  const limits = { windowTokens: targetTokens, budgetTokens: targetTokens, targetTokens };
  const edits = planCover(makeView(draft, { limits, counter, hash: pureHash }));
  return apply(draft, edits, { answers: [], hash: pureHash }).conversation.messages;
}
