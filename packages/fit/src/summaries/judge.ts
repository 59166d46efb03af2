import type { Ask } from "@longhaul/condense";
import type { Reply, StopReason } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { inputTokens } from "./summarizer.ts";

/** A reply that is a summary, or why it is none. */
export type Judged = { readonly text: string } | { readonly why: string };

/** What a model said, and whether it was stopped because it said too much. */
export interface Said {
  readonly reply: Reply;
  readonly isTooLong: boolean;
}

/** Whether a reply can stand for the messages of an ask, and the text that does. */
export function judge({ reply, isTooLong }: Said, ask: Ask, counter: TokenCounter): Judged {
  const call = reply.blocks.find(({ type }) => type === "tool-call");
  if (call !== undefined) return { why: "it called a tool instead of answering" };
  if (reply.stopReason === "refusal") return { why: "it refused" };
  const said = withoutThoughts(reply.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""));
  if (said === "") return { why: reply.blocks.some(isThinking) ? "it thought and said nothing" : "it said nothing" };
  const isCut = isTooLong || CUT.includes(reply.stopReason);
  const text = isCut ? wholeLines(said.slice(0, maxCharacters(ask))) : said;
  if (text === "") return { why: "it was cut off before its first line ended" };
  if (isGarbage(text)) return { why: "it said characters without sense" };
  const tokens = counter.countText(text);
  const limit = inputTokens(ask, counter);
  if (tokens >= limit) return { why: `its summary has ${tokens} tokens, what it stands for has ${limit}` };
  return { text };
}

const CUT: readonly StopReason[] = ["length", "context-exceeded", "stop-sequence"];

/** Few texts have more characters in a token than this. */
const CHARACTERS_PER_TOKEN = 8;

/** How long the answer to an ask may be: beyond this a model does not keep to its limit. */
export function maxCharacters({ maxTokens }: Ask): number {
  return maxTokens * CHARACTERS_PER_TOKEN;
}

function isThinking({ type }: Reply["blocks"][number]): boolean {
  return type === "thinking" || type === "redacted-thinking";
}

/** Servers that know nothing of reasoning leave it in the text, between tags. */
const THOUGHTS = /^\s*<(think|thinking)>(?:[\s\S]*?<\/\1>|[\s\S]*$)/;

function withoutThoughts(text: string): string {
  return text.replace(THOUGHTS, "").trim();
}

function wholeLines(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("\n"))).trim();
}

/** What is left of bytes that were no text; control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SENSELESS = /[\ufffd\u0000-\u0008\u000e-\u001f]/g;
const MAX_SENSELESS_SHARE = 0.01;

function isGarbage(text: string): boolean {
  return (text.match(SENSELESS)?.length ?? 0) > text.length * MAX_SENSELESS_SHARE;
}
