import {
  type CacheMark,
  EFFORTS,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type OutputFormat,
} from "@longhaul/conversation/advanced";
import type { KnownValues } from "../codec/api.ts";
import type { WireDestination } from "../codec/rules.ts";
import { defined, fieldOf, isOneOf, optionalString } from "../fields/json.ts";
import type { Setting } from "../fields/settings.ts";

// Fields that OpenAI's two formats share.

/** Decodes the output format. */
export function decodeFormat(type: JsonValue | undefined, value: JsonValue | undefined): OutputFormat | undefined {
  if (type === "json_object") return { kind: "json" };
  if (type !== "json_schema" || !isJsonObject(value) || !isJsonObject(value.schema)) return undefined;
  const strict = typeof value.strict === "boolean" ? value.strict : undefined;
  return defined({ kind: "json-schema", name: optionalString(value.name), schema: value.schema, strict });
}

/** Encodes a schema. The API requires a name. */
export function encodeSchema({ name, schema, strict }: Extract<OutputFormat, { kind: "json-schema" }>): JsonObject {
  return { name: name ?? "reply", schema, ...defined({ strict }) };
}

/** Decodes a cache mark from Anthropic's field or OpenAI's; servers accept either or both. */
export function decodeMark({ cache_control, prompt_cache_breakpoint }: JsonObject): CacheMark | undefined {
  if (isJsonObject(cache_control)) {
    const { ttl } = cache_control;
    return ttl === "5m" || ttl === "1h" ? { ttl } : {};
  }
  return isJsonObject(prompt_cache_breakpoint) ? {} : undefined;
}

/** Encodes a cache mark in the destination's field. OpenAI's lifetimes differ from Anthropic's, so its default applies. */
export function encodeMark(
  mark: CacheMark | undefined,
  { cacheMarks }: Pick<WireDestination, "cacheMarks">,
): JsonObject {
  if (mark === undefined || cacheMarks === undefined || cacheMarks === "none") return {};
  if (cacheMarks === "cache_control") return { cache_control: { type: "ephemeral", ...mark } };
  return { prompt_cache_breakpoint: { mode: "explicit" } };
}

/** Decodes the detail level of an image. */
export function decodeDetailLevel(detail: JsonValue | undefined): { detail?: "low" | "high" | "auto" | "original" } {
  return detail === "low" || detail === "high" || detail === "auto" || detail === "original" ? { detail } : {};
}

/** Precedes the result of a failed call, because neither format has a field for failures. */
export const ERROR_MARK = "[The tool reported an error]";

/** Whether a message can be written as received. Some servers accept only one name for the system role. */
export function keepsRole(message: JsonValue, { systemRole }: Pick<WireDestination, "systemRole">): boolean {
  const role = fieldOf(message, "role");
  return systemRole === undefined || (role !== "system" && role !== "developer") || role === systemRole;
}

/** Returns the settings row for the end user's id, which is encoded in this field. */
export function userSetting(field: "safety_identifier" | "user"): Setting {
  return {
    names: ["user"],
    fields: ["safety_identifier", "user"],
    decode: ({ safety_identifier, user: name }) => {
      const value = safety_identifier ?? name ?? undefined;
      if (value === undefined) return {};
      return typeof value === "string" ? { user: value } : undefined;
    },
    encode: ({ user: name }) => (name === undefined ? {} : { [field]: name }),
  };
}

/** The object `reasoning` of OpenAI's formats. */
export const OPENAI_REASONING: readonly KnownValues[] = [
  ["reasoning", isJsonObject],
  ["reasoning.effort", isOneOf(EFFORTS)],
];
