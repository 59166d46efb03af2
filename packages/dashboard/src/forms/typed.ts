import { isJson, type Json, type Schema } from "./schema.ts";

/** The words of a text with commas between; nothing where there are none. */
export function wordsIn(text: string): readonly string[] | undefined {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.length === 0 ? undefined : words;
}

/** The value that a text spells as JSON; where a schema takes texts as well, what is no JSON is one. */
export function jsonIn(schema: Schema, text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  const value = parse(text);
  return value === undefined && takesText(schema) ? text.trim() : value;
}

/** A value as `jsonIn` reads it. */
export function spellJson(schema: Schema, value: Json | undefined): string {
  if (value === undefined) return "";
  const isPlain = typeof value === "string" && jsonIn(schema, value) === value;
  return isPlain ? value : JSON.stringify(value, null, 2);
}

function takesText({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === "string");
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
