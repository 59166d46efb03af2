import {
  type CacheMark,
  EFFORTS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type OutputFormat,
} from "@longhaul/conversation";
import type { KnownValues } from "../codec/api.ts";
import type { WireDestination } from "../codec/rules.ts";
import { defined, isOneOf, optionalString } from "../fields/json.ts";

// What OpenAI's two formats spell alike.

/** Reads what shape the reply must have. */
export function decodeFormat(type: JsonValue | undefined, said: JsonValue | undefined): OutputFormat | undefined {
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema" || !isJsonObject(said) || !isJsonObject(said.schema)) return undefined;
  const strict = typeof said.strict === "boolean" ? said.strict : undefined;
  return defined({ kind: "json-schema", name: optionalString(said.name), schema: said.schema, strict });
}

/** Writes it. A name is demanded. */
export function encodeSchema({ name, schema, strict }: Extract<OutputFormat, { kind: "json-schema" }>): JsonObject {
  return { name: name ?? "reply", schema, ...defined({ strict }) };
}

/** Reads a cache mark. Servers that know marks take them in Anthropic's spelling, OpenAI's, or both. */
export function decodeMark({ cache_control, prompt_cache_breakpoint }: JsonObject): CacheMark | undefined {
  if (isJsonObject(cache_control)) {
    const { ttl } = cache_control;
    return ttl === "5m" || ttl === "1h" ? { ttl } : {};
  }
  return isJsonObject(prompt_cache_breakpoint) ? {} : undefined;
}

/** Writes a cache mark in the spelling that the target knows. OpenAI's times to live are not Anthropic's, so its default stands. */
export function encodeMark(
  mark: CacheMark | undefined,
  { cacheMarks }: Pick<WireDestination, "cacheMarks">,
): JsonObject {
  if (mark === undefined || cacheMarks === undefined || cacheMarks === "none") return {};
  if (cacheMarks === "cache_control") return { cache_control: { type: "ephemeral", ...mark } };
  return { prompt_cache_breakpoint: { mode: "explicit" } };
}

/** How closely to look at a picture. */
export function decodeDetailLevel(detail: JsonValue | undefined): { detail?: "low" | "high" | "auto" | "original" } {
  return detail === "low" || detail === "high" || detail === "auto" || detail === "original" ? { detail } : {};
}

/** What stands before the result of a failed call: neither format has a word for that. */
export const ERROR_MARK = "[The tool reported an error]";

/** OpenAI's object `reasoning`, which both of its formats have. */
export const OPENAI_REASONING: readonly KnownValues[] = [
  ["reasoning", isJsonObject],
  ["reasoning.effort", isOneOf(EFFORTS)],
];
