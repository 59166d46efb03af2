import { LonghaulError } from "@longhaul/conversation";

/** Where a value stands in a text; an object has members. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly members?: readonly JsonMember[];
}

/** One name of an object with its value. */
interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly value: JsonNode;
}

/** Finds where values stand in JSON, also with comments and trailing commas. What is neither throws `settings.invalid`. */
export function parseJsonText(text: string): JsonNode {
  const node = readValue(text, skip(text, 0));
  const end = skip(text, node.end);
  if (end < text.length) throw notJson(text, end);
  return node;
}

/** Past blanks and comments. */
function skip(text: string, at: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\uFEFF)*/y;
  blank.lastIndex = at;
  return at + (blank.exec(text)?.[0].length ?? 0);
}

const SCALAR = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

function readValue(text: string, start: number): JsonNode {
  if (text[start] === "{") return readObject(text, start);
  if (text[start] === "[") return readArray(text, start);
  return { start, end: readScalar(text, start) };
}

function readScalar(text: string, start: number): number {
  SCALAR.lastIndex = start;
  const found = SCALAR.exec(text);
  if (found === null) throw notJson(text, start);
  return start + found[0].length;
}

function readObject(text: string, start: number): JsonNode {
  const members: JsonMember[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "}") {
    const nameEnd = readScalar(text, at);
    const colon = skip(text, nameEnd);
    if (text[at] !== '"' || text[colon] !== ":") throw notJson(text, at);
    const value = readValue(text, skip(text, colon + 1));
    members.push({ name: JSON.parse(text.slice(at, nameEnd)), start: at, value });
    at = afterEntry(text, value.end, "}");
  }
  return { start, end: at + 1, members };
}

function readArray(text: string, start: number): JsonNode {
  let at = skip(text, start + 1);
  while (text[at] !== "]") at = afterEntry(text, readValue(text, at).end, "]");
  return { start, end: at + 1 };
}

/** The beginning of the next entry, or the bracket that ends them. */
function afterEntry(text: string, end: number, bracket: string): number {
  const at = skip(text, end);
  if (text[at] === ",") return skip(text, at + 1);
  if (text[at] !== bracket) throw notJson(text, at);
  return at;
}

function notJson(text: string, at: number): LonghaulError {
  const line = text.slice(0, at).split("\n").length;
  return new LonghaulError("settings.invalid", `it is not valid JSON in line ${line}; correct it first`);
}
