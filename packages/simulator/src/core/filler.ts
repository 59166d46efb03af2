import { isObject, type JsonObject, listIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "./json.ts";
import { allText, latestUserText, type Prompt } from "./prompt.ts";
import type { Tokenizer } from "./tokens.ts";

const SENTENCES = [
  "Read the existing code before you change anything in it.",
  "Each module has one purpose, and its name states what that is.",
  "If two solutions do the same job, choose the shorter one.",
  "Keep every measurement next to the command that produced it.",
  "Turn each bug into a test, so that it cannot come back unnoticed.",
  "Delete code only after you have checked that nothing depends on it.",
];

/** Returns the same sentences every time, just under the given size. */
export function fillerText(tokens: number, tokenizer: Tokenizer): string {
  const paragraph = `${SENTENCES.join(" ")}\n`;
  const times = Math.ceil(tokens / tokenizer.count(paragraph));
  return tokenizer.take(paragraph.repeat(times), tokens).trimEnd();
}

const GARBAGE_CHARS = 240;
const GARBAGE_ALPHABET = "�a}0{b]z|Q\\X^é#漢~ ";

export function garbageText(): string {
  const alphabet = [...GARBAGE_ALPHABET];
  const letterAt = (index: number) => alphabet[(index * 7 + Math.floor(index / alphabet.length) * 5) % alphabet.length];
  return Array.from({ length: GARBAGE_CHARS }, (_, index) => letterAt(index)).join("");
}

const MAX_DEPTH = 8;

/** Returns a value that a JSON Schema allows: the first of every choice, and only required fields if there are any. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return {};
  if ("const" in schema) return schema.const;
  const [first] = listIn(schema.enum);
  if (first !== undefined) return first;
  const [choice] = [...objectsIn(schema.anyOf), ...objectsIn(schema.oneOf), ...objectsIn(schema.allOf)];
  if (choice !== undefined) return exampleOf(choice, depth + 1);
  return exampleOfType(schema, depth);
}

function exampleOfType(schema: JsonObject, depth: number): unknown {
  switch (typeOf(schema)) {
    case "string":
      return "text".padEnd(numberIn(schema.minLength) ?? 0, "x");
    case "integer":
    case "number":
      return numberIn(schema.minimum) ?? 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return Array.from({ length: Math.max(1, numberIn(schema.minItems) ?? 1) }, () =>
        exampleOf(schema.items, depth + 1),
      );
    default:
      return exampleObject(schema, depth);
  }
}

/** Returns the first type; Gemini writes types in capitals. */
function typeOf({ type }: JsonObject): string {
  return (textIn(type) || (textsIn(type)[0] ?? "")).toLowerCase();
}

function exampleObject(schema: JsonObject, depth: number): JsonObject {
  const properties = objectIn(schema.properties);
  const required = textsIn(schema.required);
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], depth + 1)]));
}

const ASKS = /\b(summari[sz]e|summari[sz]ing|summary of|a (?:\w+[ -]){0,3}summary|condense)\b/i;
/** A request for a summary is at the beginning or the end of a long text. */
const EDGE_CHARS = 600;
/** How much of a system prompt says what the model is for. */
const HEAD_CHARS = 300;

/** Whether the user's latest text or the start of the system prompt asks for a summary. */
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

/** Returns a plausible summary: paths and names, user requests, then lines of the conversation, cut to a number of tokens. */
export function summarize(prompt: Prompt, tokens: number, tokenizer: Tokenizer): string {
  const text = allText(prompt);
  const requests = prompt.turns.filter(({ role }) => role === "user").flatMap(({ texts }) => texts.map(firstLine));
  const parts = [
    `Summary of the conversation so far (${prompt.turns.length} messages).`,
    heading("Files", text.match(PATHS)),
    heading("Names", text.match(NAMES)),
    heading("Addresses", text.match(ADDRESSES)),
    "User requests:",
    ...unique(requests).map((line) => `- ${line}`),
    "Conversation:",
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
