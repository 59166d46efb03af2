import { addReferences, openDraft } from "@longhaul/condense/advanced";
import { sha256 } from "@longhaul/fit";
import { type LogReading, promptMessages } from "@longhaul/logs";
import type { TokenCounter } from "@longhaul/models";
import type { SentPrompt } from "./prompts.ts";

interface Sent {
  readonly reading: LogReading;
  readonly prompts: readonly SentPrompt[];
  readonly counter: TokenCounter;
}

/** Returns the tokens that each prompt saves with references from the first call on. A message keeps the form in which it was first sent. */
export function referredTokens({ reading, prompts, counter }: Sent): number[] {
  const saved: number[] = [];
  for (const stretch of stretches(prompts)) {
    const last = stretch.at(-1);
    const gains = last === undefined ? [] : gainsUpTo(last, { reading, counter });
    for (const { call } of stretch) saved.push(gains[promptMessages(reading, call).length] ?? 0);
  }
  return saved;
}

function stretches(prompts: readonly SentPrompt[]): SentPrompt[][] {
  const found: SentPrompt[][] = [];
  for (const prompt of prompts) {
    const open = prompt.continues ? found.at(-1) : undefined;
    if (open === undefined) found.push([prompt]);
    else open.push(prompt);
  }
  return found;
}

/** Returns the tokens saved by the first n messages of a prompt, for each n. */
function gainsUpTo({ call }: SentPrompt, { reading, counter }: Omit<Sent, "prompts">): number[] {
  const messages = promptMessages(reading, call);
  const draft = openDraft({ ...reading.conversation, messages });
  const options = { from: 0, references: "results", consolidates: true, counter, hash: sha256 } as const;
  const referring = addReferences(draft, options).conversation.messages;
  const gains = [0];
  for (const [index, message] of messages.entries()) {
    const after = referring[index] ?? message;
    const gain = after === message ? 0 : counter.countMessage(message) - counter.countMessage(after);
    gains.push((gains.at(-1) ?? 0) + gain);
  }
  return gains;
}
