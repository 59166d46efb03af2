import type { Block, Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Ask } from "../edits/edit.ts";
import { INJECTION_GUARD, lengthInstruction, UPDATE_RULE } from "./prompts.ts";

/** What is to be summarised, and how. */
export interface SummaryRequest {
  readonly messages: readonly Message[];
  readonly range?: { readonly from: number; readonly to: number };
  readonly previous?: string;
  readonly prompt: string;
  readonly maxTokens: number;
  readonly profile?: string;
}

/** The ask for a summary, with the guard against orders in the text and the length to aim at. */
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
    }),
    maxTokens,
    expectedTokens,
    ...rest,
  };
}

/** The prompt, the guard and the length to aim at; a prompt that places the messages or the length itself has its way. */
function instructionsOf(prompt: string, { words, isUpdate }: { words: number; isUpdate: boolean }): string {
  const filled = prompt.trim().replaceAll("{words}", () => String(words));
  const rules = [
    ...(isUpdate ? [UPDATE_RULE] : []),
    INJECTION_GUARD,
    ...(prompt.includes("{words}") ? [] : [lengthInstruction(words)]),
  ].join("\n");
  return prompt.includes("{formatted_messages}") ? `${rules}\n\n${filled}` : `${filled}\n\n${rules}`;
}

/** English words in a token, about. */
const WORDS_PER_TOKEN = 0.7;

const BASE_TOKENS = 100;
const ROOT_FACTOR = 8;

/**
 * How long a summary of so many tokens will be: it grows with the square root of what it stands for (about 350 tokens for 1K, 900 for 10K,
 * 2,600 for 100K), is never over half of it, and never over the limit. The same figure is what the model is told to aim at.
 */
export function expectedSummaryTokens(inputTokens: number, maxTokens: number): number {
  const aimed = BASE_TOKENS + ROOT_FACTOR * Math.sqrt(inputTokens);
  return Math.max(1, Math.round(Math.min(maxTokens, inputTokens / 2, aimed)));
}

/** What an ask says when it is put to a model as text: the instructions, and the messages between two rules. */
export function renderAsk(ask: Ask): string {
  const previous =
    ask.previous === undefined ? "" : `\nThe summary so far, to be brought up to date:\n---\n${ask.previous}\n---\n`;
  const conversation = `---\n${renderMessages(ask.messages)}\n---\n`;
  if (!ask.instructions.includes(MESSAGES_HERE))
    return `${ask.instructions}\n${previous}\nConversation:\n${conversation}`;
  return ask.instructions.replace(MESSAGES_HERE, () => `${previous}${conversation}`);
}

/** Where a prompt of the user's own wants the messages. */
const MESSAGES_HERE = "{formatted_messages}";

/** Messages as plain text, tool calls and results included, so that a summariser needs no tools of its own. */
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
