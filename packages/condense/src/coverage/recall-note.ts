import type { Conversation } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { decompose } from "../content/contents.ts";
import { textsIn } from "../edits/text-position.ts";
import { workFacts } from "../facts/work.ts";
import { STATE_OF_SUMMARY } from "./digest.ts";
import { indexNames } from "./name-index.ts";

/** A conversation before and after condensing, and the size of the text about what it lacks. */
export interface RecallRequest {
  readonly raw: Conversation;
  readonly kept: Conversation;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** Precedes the facts: the note is in an early message, but they are about all messages. */
const STATE = "State of the work when this note was written; later messages may change it:";

/** Share of the text for the facts, and what they may take of a short one; names take the rest, up to their own limit. */
const FACTS_SHARE = 0.75;
const FACTS_TOKENS = 100;
/** Most tokens for names: a longer list helps a model to spell names, but hides the facts before it. */
const NAMES_TOKENS = 1_250;

/**
 * Writes what the model will likely need and no longer has: open to-dos, changed and read files, the last checks, the latest failure and
 * findings, then an index of names. Empty if there is nothing or no room. It quotes the conversation.
 */
export function recallNote({ raw, kept, maxTokens, counter }: RecallRequest): string {
  const { contents } = decompose(raw.messages);
  const keptText = kept.messages.flatMap(({ blocks }) => blocks.flatMap(textsIn).map(({ text }) => text)).join("\n");
  const share = Math.max(Math.floor(maxTokens * FACTS_SHARE), maxTokens - NAMES_TOKENS);
  const factTokens = Math.min(maxTokens, Math.max(FACTS_TOKENS, share));
  const stateTokens = counter.countText(`${STATE}\n`);
  // One summary lists the files and checks of everything before its end; several list only those of their own messages.
  const omits = keptText.split(STATE_OF_SUMMARY).length === 2 ? (["list"] as const) : [];
  const facts = workFacts({ contents, keptText, omits, maxTokens: factTokens - stateTokens, counter });
  const text = facts.length === 0 ? "" : [STATE, ...facts].join("\n");
  const withFacts = text === "" ? kept : { ...kept, messages: [...kept.messages, factMessage(text)] };
  const left = maxTokens - (text === "" ? 0 : counter.countText(`${text}\n`));
  const names = indexNames({ raw, kept: withFacts, maxTokens: Math.min(left, NAMES_TOKENS), counter });
  return [text, names].filter((part) => part !== "").join("\n");
}

function factMessage(text: string): Conversation["messages"][number] {
  return { role: "user", blocks: [{ type: "text", text }] };
}

/**
 * Share of the messages for the text if nothing is left out. It grows with the square root of how much the conversation shrinks: the more is
 * left out, the more names are missing.
 */
const SHARE = 0.045;
const MOST_SHARE = 0.2;
/** A short conversation reserves this much, if it is within the largest share. */
const LEAST_TOKENS = 150;
const MOST_TOKENS = 3_500;

/** Returns the tokens to reserve for the text if messages of `rawTokens` may take `messageTokens`. */
export function recallReserve(messageTokens: number, rawTokens: number): number {
  if (messageTokens <= 0) return 0;
  const most = MOST_SHARE * messageTokens;
  const share = SHARE * Math.sqrt(Math.max(1, rawTokens / messageTokens));
  return Math.floor(Math.min(MOST_TOKENS, most, Math.max(LEAST_TOKENS, share * messageTokens)));
}
