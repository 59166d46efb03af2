import { type Message, promptTokens } from "@longhaul/conversation";
import { type LoggedCall, type LogReading, promptMessages } from "@longhaul/logs";
import type { TokenCounter } from "@longhaul/models";

/** One call of a log, with as much of its prompt as the log holds. */
export interface KnownPrompt {
  readonly messages: readonly Message[];
  /** Reported tokens of these messages: without what the log lacks. */
  readonly reported: number;
  /** Reported tokens of the whole prompt. */
  readonly whole: number;
}

/** The calls of a log after the first, and what came into prompts in mid-session without being logged. */
export interface KnownPrompts {
  readonly prompts: readonly KnownPrompt[];
  readonly unlogged: { readonly steps: number; readonly tokens: number };
}

/** Reads the prompts of a log. `counter` tells what it lacks: all of the first prompt but its messages, and steps out of proportion. */
export function readPrompts(reading: LogReading, counter: TokenCounter): KnownPrompts {
  const sent = reading.calls.map((call) => readCall(reading, call, counter)).filter(({ whole }) => whole > 0);
  const surprises = sent.map((call, index) => surpriseIn(call, sent[index - 1])).filter((tokens) => tokens !== 0);
  let lacking = 0;
  const prompts = sent.map((call, index) => {
    lacking += index === 0 ? call.whole - call.counted : surpriseIn(call, sent[index - 1]);
    return { messages: call.messages, whole: call.whole, reported: call.whole - lacking };
  });
  const tokens = surprises.reduce((sum, surprise) => sum + surprise, 0);
  return { prompts: prompts.slice(1), unlogged: { steps: surprises.length, tokens } };
}

interface SentCall {
  readonly call: LoggedCall;
  readonly messages: readonly Message[];
  readonly counted: number;
  readonly whole: number;
}

function readCall(reading: LogReading, call: LoggedCall, counter: TokenCounter): SentCall {
  const messages = promptMessages(reading, call);
  const counted = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const whole = call.usage === undefined || call.outcome !== "finished" ? 0 : promptTokens(call.usage);
  return { call, messages, counted, whole };
}

/** Tokens that came in with a step and can't be its messages'. */
function surpriseIn(call: SentCall, before: SentCall | undefined): number {
  if (before === undefined || !continues(call.call, before.call)) return 0;
  const growth = call.whole - before.whole;
  const expected = call.counted - before.counted;
  const isInProportion = growth >= expected / 2 && growth <= expected * 2;
  return isInProportion ? 0 : growth - expected;
}

/** Whether a call sends what another did, and more. */
function continues({ prompt }: LoggedCall, { prompt: earlier }: LoggedCall): boolean {
  const isSameStart =
    prompt.from === earlier.from && prompt.head === earlier.head && prompt.summary === earlier.summary;
  return isSameStart && prompt.to > earlier.to;
}
