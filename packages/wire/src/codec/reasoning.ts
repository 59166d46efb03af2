import { EFFORTS, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

/** How a request of one format speaks of thinking. */
export interface ReasoningWords {
  /** The fields of a body that say something about it, or may do so. */
  readonly fields: readonly string[];
  /** Where it says how hard to think, and which values mean something there. */
  readonly known: readonly KnownValues[];
  /** Whether thinking travels with a proof of its vendor; else it travels as plain text, and whole. */
  readonly isSigned: boolean;
  /** Whether all that a body says is that the client doesn't want to see it. */
  excludesOnly(body: JsonObject): boolean;
}

/** A place in a body, with dots between its fields, and which values mean something there. */
export type KnownValues = readonly [path: string, isKnown: (value: JsonValue) => boolean];

export function isNumber(value: JsonValue): boolean {
  return typeof value === "number";
}

export function isOneOf(words: readonly string[]): (value: JsonValue) => boolean {
  return (value) => typeof value === "string" && words.includes(value);
}

/** OpenAI's object `reasoning`, which both of its formats have. */
export const OPENAI_REASONING: readonly KnownValues[] = [
  ["reasoning", isJsonObject],
  ["reasoning.effort", isOneOf(EFFORTS)],
];
