import type { Block, Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Ask } from "../edits/edit.ts";
import { INJECTION_GUARD, KEPT_RULE, lengthInstruction, UPDATE_RULE } from "./prompts.ts";

/** The messages to summarize, and how. */
export interface SummaryRequest {
  readonly messages: readonly Message[];
  readonly range?: { readonly from: number; readonly to: number };
  /** Indexes of `messages` that stay in the conversation. */
  readonly kept?: readonly number[];
  readonly hasLaterList?: boolean;
  readonly hasLaterAnswer?: boolean;
  readonly previous?: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly profile?: string;
}

/** Creates an ask for a summary, with the injection guard and the length to aim at. */
export function askFor({ messages, prompt, maxTokens, ...rest }: SummaryRequest, counter: TokenCounter): Ask {
  const inputTokens = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const previousTokens = rest.previous === undefined ? 0 : counter.countText(rest.previous);
  const expectedTokens = expectedSummaryTokens(inputTokens + previousTokens, maxTokens);
  return {
    kind: "ask",
    messages,
    instructions: instructionsOf(prompt, {
      words: Math.round(expectedTokens * WORDS_PER_TOKEN),
      isUpdate: rest.previous !== undefined,
      keepsUserMessages: (rest.kept ?? []).length > 0,
    }),
    maxTokens,
    expectedTokens,
    ...rest,
  };
}

interface InstructionOptions {
  readonly words: number;
  readonly isUpdate: boolean;
  /** Whether messages of the user stay in the conversation. */
  readonly keepsUserMessages: boolean;
}

/** Joins the prompt, the guard and the length. A prompt with placeholders decides itself where messages and length go. */
function instructionsOf(prompt: string, { words, isUpdate, keepsUserMessages }: InstructionOptions): string {
  const filled = prompt.trim().replaceAll("{words}", () => String(words));
  const rules = [
    ...(isUpdate ? [UPDATE_RULE] : []),
    ...(keepsUserMessages ? [KEPT_RULE] : []),
    INJECTION_GUARD,
    ...(prompt.includes("{words}") ? [] : [lengthInstruction(words)]),
  ].join("\n");
  return prompt.includes("{formatted_messages}") ? `${rules}\n\n${filled}` : `${filled}\n\n${rules}`;
}

/** Approximate number of English words per token. */
const WORDS_PER_TOKEN = 0.7;

const BASE_TOKENS = 100;
const ROOT_FACTOR = 8;

/**
 * Estimates the length of a summary: it grows with the square root of its input (about 350 tokens for 1K, 900 for 10K, 2,600 for 100K), and
 * never exceeds half of it or the limit. The model is asked for the same length.
 */
export function expectedSummaryTokens(inputTokens: number, maxTokens: number): number {
  const aimed = BASE_TOKENS + ROOT_FACTOR * Math.sqrt(inputTokens);
  return Math.max(1, Math.round(Math.min(maxTokens, inputTokens / 2, aimed)));
}

/** Renders an ask as text for a model: the instructions, and the messages between two rules. */
export function renderAsk(ask: Ask): string {
  const previous =
    ask.previous === undefined ? "" : `\nThe summary so far, to be updated:\n---\n${ask.previous}\n---\n`;
  const conversation = `---\n${renderMessages(ask.messages)}\n---\n`;
  if (!ask.instructions.includes(MESSAGES_HERE))
    return `${ask.instructions}\n${previous}\nConversation:\n${conversation}`;
  return ask.instructions.replace(MESSAGES_HERE, () => `${previous}${conversation}`);
}

/** Where a custom prompt places the messages. */
const MESSAGES_HERE = "{formatted_messages}";

/** Renders messages as plain text, including tool calls and results, so that a summarizer needs no tools. */
export function renderMessages(messages: readonly Message[]): string {
  return messages
    .map((message) => `[${message.role}]\n${message.blocks.map(renderBlock).filter(Boolean).join("\n")}`)
    .join("\n\n");
}

function renderBlock(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return "[Referenced image in conversation]";
    case "document":
      return `[Document${block.title === undefined ? "" : `: ${block.title}`}]`;
    case "tool-call":
      return `[Tool call: ${block.name}]\n${typeof block.input === "string" ? block.input : JSON.stringify(block.input)}`;
    case "tool-result":
      return `[Tool result${block.isError ? " (error)" : ""}]\n${block.content.map(renderBlock).join("\n")}`;
    case "thinking":
    case "redacted-thinking":
      return "";
    case "compaction":
      return block.text ?? "";
    case "opaque":
      return `[${block.kind}]`;
    default:
      return block satisfies never;
  }
}
