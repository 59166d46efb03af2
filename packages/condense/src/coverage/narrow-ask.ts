import { LonghaulError, type Message, pureHash, textMessage } from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { Ask } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { renderAsk, renderMessages } from "../summaries/ask.ts";
import { planCover } from "./cover.ts";
import { digest } from "./digest.ts";

/** Token counter and window of the model that answers an ask. */
export interface SummarizerWindow {
  readonly counter: TokenCounter;
  readonly windowTokens: number;
}

/** Share of the window reserved for counting errors. */
const MARGIN = 0.05;
/** Largest share of the window for the answer. */
const ANSWER_SHARE = 0.25;
/** Largest share of the remaining room for an earlier summary. */
const PREVIOUS_SHARE = 0.5;
/** Shares of the room to aim at, in order: the size of the lines is known only after rendering. */
const AIMS = [0.98, 0.85, 0.7] as const;

/**
 * Shortens an ask so that it fits a summarizer's window together with its answer. Long histories are not cut off: the most important lines
 * of the older messages are kept, across the whole range. An ask that fits is the identical object. Throws `condense.failed` if even the
 * instructions do not fit.
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
    const why = `the summarizer's window of ${windowTokens} tokens is too small for its instructions`;
    throw new LonghaulError("condense.failed", why);
  }
  const { kept: _, ...rest } = brief;
  return { ...rest, messages: narrowMessages(ask.messages, roomForMessages, counter) };
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

/** Reduces messages to about this many tokens of rendered text. */
function coverMessages(messages: readonly Message[], textTokens: number, counter: TokenCounter): readonly Message[] {
  const draft = openDraft({ system: [], tools: [], messages });
  const tokensPerText = counter.countConversation(draft.raw) / counter.countText(renderMessages(messages));
  const targetTokens = Math.floor(textTokens * tokensPerText);
  const limits = { windowTokens: targetTokens, budgetTokens: targetTokens, targetTokens };
  const edits = planCover(makeView(draft, { limits, counter, hash: pureHash }));
  return apply(draft, edits, { answers: [], hash: pureHash }).conversation.messages;
}
