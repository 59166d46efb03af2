import { type Message, promptTokens } from "@longhaul/conversation/advanced";
import type { LoggedCall, LogReading } from "@longhaul/logs";
import type { TokenCounter } from "@longhaul/models";

/** A finished call of a session, with the size of its prompt. */
export interface SentPrompt {
  readonly call: LoggedCall;
  /** Our count of the part in the log: system prompt, tools and messages. */
  readonly heldTokens: number;
  /** The vendor's count of the whole prompt; 0 if the log does not report it. */
  readonly reportedTokens: number;
  /** Whether it extends the prompt of the previous call. */
  readonly continues: boolean;
}

/** Returns the prompts of all finished calls. */
export function promptsOf(reading: LogReading, counter: TokenCounter): SentPrompt[] {
  const count = heldCounter(reading, counter);
  const calls = reading.calls.filter(({ outcome }) => outcome === "finished");
  return calls.map((call, index) => ({
    call,
    heldTokens: count(call),
    reportedTokens: call.usage === undefined ? 0 : promptTokens(call.usage),
    continues: continues(call, calls[index - 1]),
  }));
}

/** Returns a function that counts the logged part of a prompt. Each message is counted only once. */
function heldCounter({ conversation }: LogReading, counter: TokenCounter): (call: LoggedCall) => number {
  const { messages, system, tools } = conversation;
  const fixed = counter.countSystem(system) + counter.countTools(tools);
  const upTo = [0];
  for (const message of messages) upTo.push((upTo.at(-1) ?? 0) + counter.countMessage(message));
  const between = (from: number, to: number) => (upTo[to] ?? 0) - (upTo[from] ?? 0);
  const summaries = new Map<Message, number>();
  return ({ prompt: { head = 0, summary, from, to } }) => {
    if (summary !== undefined && !summaries.has(summary)) summaries.set(summary, counter.countMessage(summary));
    const summaryTokens = summary === undefined ? 0 : (summaries.get(summary) ?? 0);
    return fixed + between(0, head) + summaryTokens + between(from, to);
  };
}

function continues({ prompt }: LoggedCall, before: LoggedCall | undefined): boolean {
  if (before === undefined) return false;
  const { from, head, summary, to } = before.prompt;
  return prompt.from === from && prompt.head === head && prompt.summary === summary && prompt.to >= to;
}

/** Our token count of a session compared with the reported one. */
export type Accuracy = NonNullable<ReturnType<typeof accuracyOf>>;

/** Compares our count with the reported usage; undefined if there is none. */
export function accuracyOf(prompts: readonly SentPrompt[]) {
  const reported = prompts.filter(({ reportedTokens }) => reportedTokens > 0);
  const [first] = reported;
  if (first === undefined) return undefined;
  const surprises = reported.map((prompt, index) => unexplainedGrowth(prompt, reported[index - 1]));
  let unlogged = 0;
  const lacking = reported.map((prompt, index) => {
    const isStart = index === 0 || !prompt.continues;
    unlogged = isStart ? lackingAtStart(prompt) : unlogged + (surprises[index] ?? 0);
    return unlogged;
  });
  const counted = reported.map(({ heldTokens }, index) => heldTokens + (lacking[index] ?? 0));
  const reportedTokens = sum(reported.map((prompt) => prompt.reportedTokens));
  return {
    calls: reported.length,
    /** The sum of their prompts, as reported. */
    reportedTokens,
    /** The sum by our count of the logged part, plus the reported size of the rest. */
    countedTokens: sum(counted),
    /** The sum as the gateway counts: the previous report plus our count of the new messages. */
    anchoredTokens: sum(reported.map((prompt, index) => anchored(prompt, reported[index - 1]) ?? counted[index] ?? 0)),
    /** The logged part of `reportedTokens`. */
    heldTokens: reportedTokens - sum(lacking),
    /** Content of prompts that is missing in the log, estimated from the reports. */
    unlogged: {
      /** In the first prompt: system prompt, tools, content of other files. */
      fromStartTokens: lackingAtStart(first),
      /** Added later, and in how many prompts: those that grew by less than half or more than twice the count of their new messages. */
      laterTokens: sum(surprises),
      laterSteps: surprises.filter((surprise) => surprise !== 0).length,
    },
  };
}

/** Returns the relative error of our count of the logged part. */
export function heldDifference({ countedTokens, reportedTokens, heldTokens }: Accuracy): number {
  return (countedTokens - reportedTokens) / heldTokens;
}

function lackingAtStart({ reportedTokens, heldTokens }: SentPrompt): number {
  return Math.max(0, reportedTokens - heldTokens);
}

/** Returns the growth of a prompt that its new messages cannot explain. */
function unexplainedGrowth(prompt: SentPrompt, before: SentPrompt | undefined): number {
  if (before === undefined || !prompt.continues) return 0;
  const growth = prompt.reportedTokens - before.reportedTokens;
  const expected = prompt.heldTokens - before.heldTokens;
  const isInProportion = growth >= expected / 2 && growth <= expected * 2;
  return isInProportion ? 0 : growth - expected;
}

function anchored(prompt: SentPrompt, before: SentPrompt | undefined): number | undefined {
  if (before === undefined || !prompt.continues) return undefined;
  return before.reportedTokens + prompt.heldTokens - before.heldTokens;
}

/** Adds numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
