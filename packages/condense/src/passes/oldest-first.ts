import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { type ChosenOperation, type Operation, planOperation, planOperations, suppressMedia } from "./operations.ts";

/** Operations on the contents of a conversation. */
export interface Operations {
  operationFor(content: Content): Operation;
  /** Whether to drop the images and documents in a tool result. */
  dropsMedia(message: number, block: number): boolean;
}

/** Plans operations on contents, oldest message first, until their estimated savings reach the target. */
export function planOldestFirst(view: View, { operationFor, dropsMedia }: Operations): Edit[] {
  const { messages } = view.conversation;
  const { contents } = view.contents();
  const over = (view.tokens - view.limits.targetTokens) * MARGIN;
  const density = tokensPerChar(view, contents);
  const chosen: ChosenOperation[] = [];
  let saved = 0;
  let message = 0;
  for (const content of contents) {
    if (content.at.message !== message && saved >= over) break;
    ({ message } = content.at);
    const choice = { content, operation: operationFor(content) };
    if (choice.operation.operation === "keep") continue;
    chosen.push(choice);
    saved += savedTokens(choice, view, density[message] ?? 0);
  }
  const touched = saved >= over ? messages.slice(0, message + 1) : messages;
  const media = touched.flatMap(suppressMedia).filter(({ at }) => dropsMedia(at.message, at.block));
  return [...planOperations(chosen, view.counter), ...media];
}

/** The estimate may be slightly too high. */
const MARGIN = 1.02;

/** Approximate number of tokens per character in each message. */
function tokensPerChar({ messageTokens }: View, contents: readonly Content[]): number[] {
  const chars = messageTokens.map(() => 0);
  for (const { at, text } of contents) chars[at.message] = (chars[at.message] ?? 0) + text.length;
  return messageTokens.map((tokens, message) => tokens / Math.max(1, chars[message] ?? 0));
}

/** Marks have more tokens per character than most texts. */
const MARK_TOKENS_PER_CHAR = 0.45;

function savedTokens({ content, operation }: ChosenOperation, { counter }: View, density: number): number {
  if (operation.operation === "summarize") return Math.max(0, content.text.length * density - operation.maxTokens);
  const edit = planOperation(content, operation, counter);
  if (edit?.kind !== "splice") return 0;
  return edit.splices.reduce((sum, { from, to, text }) => {
    const mark = typeof text === "string" ? text.length * MARK_TOKENS_PER_CHAR : 0;
    return sum + (to - from) * density - mark;
  }, 0);
}
