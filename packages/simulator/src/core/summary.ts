import { allText, latestUserText, type Prompt } from "./prompt.ts";
import type { Tokenizer } from "./tokens.ts";

const ASKS = /\b(summari[sz]e|summari[sz]ing|summary of|a (?:\w+[ -]){0,3}summary|condense)\b/i;
/** Where in a long text a wish for a summary stands: at its beginning or its end. */
const EDGE_CHARS = 600;
/** How much of a system prompt says what the model is for. */
const HEAD_CHARS = 300;

/** Whether the user's last words, or the first words of the system prompt, ask for a summary. */
export function asksForSummary(prompt: Prompt): boolean {
  const text = latestUserText(prompt);
  const edges = text.length <= 2 * EDGE_CHARS ? text : `${text.slice(0, EDGE_CHARS)}\n${text.slice(-EDGE_CHARS)}`;
  return ASKS.test(edges) || ASKS.test(prompt.system.slice(0, HEAD_CHARS));
}

const PATHS = /(?:[\w.-]+\/)*[\w-]+\.[a-z]{1,5}\b/g;
const NAMES = /\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\w+_\w+)\b/g;
const ADDRESSES = /https?:\/\/[^\s"')]+/g;
const MAX_OF_A_KIND = 40;
const MAX_LINE_CHARS = 160;

/** A plausible summary of a prompt: what it is about, the paths and names in it, then its lines, cut to a number of tokens. */
export function summarize(prompt: Prompt, tokens: number, tokenizer: Tokenizer): string {
  const text = allText(prompt);
  const wishes = prompt.turns.filter(({ role }) => role === "user").flatMap(({ texts }) => texts.map(firstLine));
  const parts = [
    `Summary of the conversation so far (${prompt.turns.length} messages).`,
    heading("Files", text.match(PATHS)),
    heading("Names", text.match(NAMES)),
    heading("Addresses", text.match(ADDRESSES)),
    "What was asked for:",
    ...unique(wishes).map((line) => `- ${line}`),
    "What was said:",
    ...unique(text.split("\n").map((line) => line.trim().slice(0, MAX_LINE_CHARS))).map((line) => `- ${line}`),
  ];
  return tokenizer.take(parts.filter((part) => part !== "").join("\n"), tokens).trim();
}

function heading(title: string, found: readonly string[] | null): string {
  return found === null ? "" : `${title}: ${unique(found).slice(0, MAX_OF_A_KIND).join(", ")}`;
}

function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, MAX_LINE_CHARS);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== "");
}
