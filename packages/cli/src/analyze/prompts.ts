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
