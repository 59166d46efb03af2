import type { Ask } from "@longhaul/condense";
import type { Reply, StopReason } from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import { inputTokens } from "./summarizer.ts";

/** The summary in a reply, or the reason why the reply is not a summary. */
export type Judged = { readonly text: string } | { readonly why: string };

/** A model's reply. `isTooLong` is true if reading was stopped because of its length. */
export interface SummaryReply {
  readonly reply: Reply;
  readonly isTooLong: boolean;
}

/** Returns the text of a reply that can replace the messages of an ask. */
export function judge({ reply, isTooLong }: SummaryReply, ask: Ask, counter: TokenCounter): Judged {
  const call = reply.blocks.find(({ type }) => type === "tool-call");
  if (call !== undefined) return { why: "it called a tool instead of answering" };
  if (reply.stopReason === "refusal") return { why: "it refused" };
  const texts = reply.blocks.map((block) => (block.type === "text" ? block.text : ""));
  const said = texts.join("").replace(THOUGHTS, "").trim();
  if (said === "") return { why: reply.blocks.some(isThinking) ? "it wrote only thinking" : "it wrote nothing" };
  const isCut = isTooLong || CUT.includes(reply.stopReason);
  const text = isCut ? wholeLines(said.slice(0, maxCharacters(ask))) : said;
  if (text === "") return { why: "it was cut off before its first line ended" };
  if (isGarbage(text)) return { why: "it wrote unreadable characters" };
  const tokens = counter.countText(text);
  const limit = inputTokens(ask, counter);
  if (tokens >= limit) return { why: `its summary has ${tokens} tokens, the replaced messages have ${limit}` };
  return { text };
}

const CUT: readonly StopReason[] = ["length", "context-exceeded", "stop-sequence"];

/** Few texts have more characters per token. */
const CHARACTERS_PER_TOKEN = 8;

/** Returns the longest accepted answer to an ask, in characters. */
export function maxCharacters({ maxTokens }: Ask): number {
  return maxTokens * CHARACTERS_PER_TOKEN;
}

function isThinking({ type }: Reply["blocks"][number]): boolean {
  return type === "thinking" || type === "redacted-thinking";
}

/** Servers without support for reasoning leave it in the text, between tags. */
const THOUGHTS = /^\s*<(think|thinking)>(?:[\s\S]*?<\/\1>|[\s\S]*$)/;

function wholeLines(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("\n"))).trim();
}

/** Remains of bytes that were not text, and control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose
const SENSELESS = /[\ufffd\u0000-\u0008\u000e-\u001f]/g;
const MAX_SENSELESS_SHARE = 0.01;

function isGarbage(text: string): boolean {
  return (text.match(SENSELESS)?.length ?? 0) > text.length * MAX_SENSELESS_SHARE;
}
