import { type Message, promptTokens } from "@longhaul/conversation";
import type { LoggedCall, LogReading } from "@longhaul/logs";
import type { TokenCounter } from "@longhaul/models";

/** What a call sent, in tokens. */
export interface SentPrompt {
  readonly call: LoggedCall;
  /** What the log holds of it: system prompt, tools and messages, as we count them. */
  readonly heldTokens: number;
  /** All of it, as the vendor counted it; 0 where the log doesn't say. */
  readonly reportedTokens: number;
  /** Whether it is what the call before sent, and more. */
  readonly continues: boolean;
}

/** Counts what each call of a session sent. Calls that failed sent nothing that anybody answered, and are left out. */
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

/** Counts the part of a prompt that the log holds; each message is counted once. */
function heldCounter({ conversation }: LogReading, counter: TokenCounter): (call: LoggedCall) => number {
  const { messages, system, tools } = conversation;
  const fixed = counter.countSystem(system) + counter.countTools(tools);
  const upTo = [0];
  for (const message of messages) upTo.push((upTo.at(-1) ?? 0) + counter.countMessage(message));
  const between = (from: number, to: number) => (upTo[to] ?? 0) - (upTo[from] ?? 0);
  const summaries = new Map<Message, number>();
  return ({ prompt: { head = 0, summary, from, to } }) => {
    if (summary !== undefined && !summaries.has(summary)) summaries.set(summary, counter.countMessage(summary));
    const told = summary === undefined ? 0 : (summaries.get(summary) ?? 0);
    return fixed + between(0, head) + told + between(from, to);
  };
}

function continues({ prompt }: LoggedCall, before: LoggedCall | undefined): boolean {
  if (before === undefined) return false;
  const { from, head, summary, to } = before.prompt;
  return prompt.from === from && prompt.head === head && prompt.summary === summary && prompt.to >= to;
}

/** How near our count of a session's prompts is to what the vendor reported. */
export interface Accuracy {
  /** Calls whose usage the log has. */
  readonly calls: number;
  /** All their prompts together, as reported. */
  readonly reportedTokens: number;
  /** The same by our own count of what the log holds, and by the reports for what it does not hold. */
  readonly countedTokens: number;
  /** The same counted from the report before, as the gateway does: only what is new in a prompt is estimated. */
  readonly anchoredTokens: number;
  /** What of `reportedTokens` the log holds. */
  readonly heldTokens: number;
  readonly unlogged: Unlogged;
}

/** What prompts had that the log does not hold, as far as the reports tell. */
interface Unlogged {
  /** From the first prompt on: system prompt, tools, what stands in another file. It is told anew after a compaction of the client's. */
  readonly fromStartTokens: number;
  /** What came in later, and how often: a prompt that grew by less than half or more than twice of what its new messages count. */
  readonly laterTokens: number;
  readonly laterSteps: number;
}

/** Compares counts with reports; nothing where the log reports nothing. */
export function accuracyOf(prompts: readonly SentPrompt[]): Accuracy | undefined {
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
    reportedTokens,
    countedTokens: sum(counted),
    anchoredTokens: sum(reported.map((prompt, index) => anchored(prompt, reported[index - 1]) ?? counted[index] ?? 0)),
    heldTokens: reportedTokens - sum(lacking),
    unlogged: {
      fromStartTokens: lackingAtStart(first),
      laterTokens: sum(surprises),
      laterSteps: surprises.filter((surprise) => surprise !== 0).length,
    },
  };
}

/** How far our count of what the log holds is off, as a share of it. */
export function heldDifference({ countedTokens, reportedTokens, heldTokens }: Accuracy): number {
  return (countedTokens - reportedTokens) / heldTokens;
}

function lackingAtStart({ reportedTokens, heldTokens }: SentPrompt): number {
  return Math.max(0, reportedTokens - heldTokens);
}

/** Tokens that came in with a prompt and can't be its messages'. */
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

/** The sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
