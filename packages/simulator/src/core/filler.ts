import { isObject, type JsonObject, listIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "./json.ts";
import { allText, latestUserText, type Prompt } from "./prompt.ts";
import type { Tokenizer } from "./tokens.ts";

const SENTENCES = [
  "The first step is to look at what is there before anything is changed.",
  "Each part does one thing, and its name says which.",
  "When two ways lead to the same place, the shorter one is taken.",
  "What was measured is written down next to the command that measured it.",
  "A mistake that was found once is kept as a test, so that it stays found.",
  "Nothing is thrown away that somebody may still need.",
];

/** Sentences with just under so many tokens; the same ones every time. */
export function fillerText(tokens: number, tokenizer: Tokenizer): string {
  const paragraph = `${SENTENCES.join(" ")}\n`;
  const times = Math.ceil(tokens / tokenizer.count(paragraph));
  return tokenizer.take(paragraph.repeat(times), tokens).trimEnd();
}

const GARBAGE_CHARS = 240;
const GARBAGE_ALPHABET = "�a}0{b]z|Q\\X^é#漢~ ";

/** Characters without sense; the same ones every time. */
export function garbageText(): string {
  const alphabet = [...GARBAGE_ALPHABET];
  const letterAt = (index: number) => alphabet[(index * 7 + Math.floor(index / alphabet.length) * 5) % alphabet.length];
  return Array.from({ length: GARBAGE_CHARS }, (_, index) => letterAt(index)).join("");
}

const MAX_DEPTH = 8;

/** A value that a JSON Schema allows: the first of every choice, required fields only where some are required. */
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

/** The first type; Gemini writes types in capitals. */
function typeOf(schema: JsonObject): string {
  const [first = ""] = typeof schema.type === "string" ? [schema.type] : textsIn(schema.type);
  return textIn(first).toLowerCase();
}

function exampleObject(schema: JsonObject, depth: number): JsonObject {
  const properties = objectIn(schema.properties);
  const required = textsIn(schema.required);
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], depth + 1)]));
}

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
  const requests = prompt.turns.filter(({ role }) => role === "user").flatMap(({ texts }) => texts.map(firstLine));
  const parts = [
    `Summary of the conversation so far (${prompt.turns.length} messages).`,
    heading("Files", text.match(PATHS)),
    heading("Names", text.match(NAMES)),
    heading("Addresses", text.match(ADDRESSES)),
    "What was asked for:",
    ...unique(requests).map((line) => `- ${line}`),
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
