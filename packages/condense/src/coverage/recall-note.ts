import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { decompose } from "../content/contents.ts";
import { textsIn } from "../edits/text-position.ts";
import { workFacts } from "../facts/work.ts";
import { indexNames } from "./name-index.ts";

/** A conversation before and after condensing, and the size of the text about what it lacks. */
export interface RecallRequest {
  readonly raw: Conversation;
  readonly kept: Conversation;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** Largest share of the text for the facts; names take the rest. */
const FACTS_SHARE = 0.4;

/**
 * Writes what the model will likely need and no longer has: open to-dos, changed files and the latest failure, then an index of names.
 * Empty if there is nothing or no room. It quotes the conversation.
 */
export function recallNote({ raw, kept, maxTokens, counter }: RecallRequest): string {
  const { contents } = decompose(raw.messages);
  const keptText = kept.messages.flatMap(({ blocks }) => blocks.flatMap(textsIn).map(({ text }) => text)).join("\n");
  const facts = workFacts({ contents, keptText, maxTokens: Math.floor(maxTokens * FACTS_SHARE), counter });
  const text = facts.join("\n");
  const withFacts = text === "" ? kept : { ...kept, messages: [...kept.messages, factMessage(text)] };
  const left = maxTokens - (text === "" ? 0 : counter.countText(`${text}\n`));
  const names = indexNames({ raw, kept: withFacts, maxTokens: left, counter });
  return [text, names].filter((part) => part !== "").join("\n");
}

function factMessage(text: string): Conversation["messages"][number] {
  return { role: "user", blocks: [{ type: "text", text }] };
}

/** Share of the target for the text, its least size in a short conversation, and its largest in a long one. */
const SHARE = 0.08;
const LEAST = { tokens: 150, share: 0.25 } as const;
const MOST_TOKENS = 3_000;

/** Returns the tokens to reserve for the text in a conversation whose messages may take `messageTokens`. */
export function recallReserve(messageTokens: number): number {
  const least = Math.min(LEAST.tokens, LEAST.share * messageTokens);
  return Math.floor(Math.max(0, Math.min(MOST_TOKENS, Math.max(SHARE * messageTokens, least))));
}
