import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonText,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import { JSON_LIMITS } from "../bytes/scan-json.ts";
import { isShallow } from "../fields/json.ts";

/** Whether the text of a call's arguments is blank. Some servers send an empty string for no arguments, others `null`. */
export function isBlankInput(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null";
}

/** Returns a delta with an empty object for a call without arguments, because clients parse the arguments as JSON. */
export function noArguments(index: number, hasArguments: boolean): readonly StreamEvent[] {
  return hasArguments ? [] : [{ type: "tool-call-delta", index, json: "{}" }];
}

/** Parses arguments sent as text. Blank text means no arguments. Text that is not JSON, or nested too deeply, is returned unchanged. */
export function parseInput(text: string): JsonValue {
  if (isBlankInput(text)) return {};
  if (!isWithinLimits(text)) return text;
  try {
    const value: JsonValue = parseJsonText(text);
    return typeof value === "string" || !isShallow(value) ? text : value;
  } catch {
    return text;
  }
}

/** Longer arguments are checked before parsing. Shorter ones cannot exceed the limit on values. */
const LONG_ARGUMENTS = 100_000;

/** Whether text has no more brackets and commas than a body may have values. Parsing more takes too much time and memory. */
function isWithinLimits(text: string): boolean {
  if (text.length < LONG_ARGUMENTS) return true;
  let values = 0;
  for (const mark of ["[", "{", ","]) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) values++;
    if (values > JSON_LIMITS.values) return false;
  }
  return true;
}

/** Encodes arguments as text, for formats that send them as a string. */
export function stringifyInput(input: JsonValue): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

/** The argument name of a free-text tool in formats that only have named arguments. */
export const FREE_TEXT_FIELD = "input";

/** Returns arguments as an object, for formats that require one. */
export function inputObject(input: JsonValue): JsonObject {
  return isJsonObject(input) ? input : { [FREE_TEXT_FIELD]: input };
}

/** Undoes `inputObject` for a free-text tool. Any other input is returned as JSON text. */
export function freeText(input: JsonValue): string {
  const inner = isJsonObject(input) ? input[FREE_TEXT_FIELD] : input;
  return typeof inner === "string" ? inner : stringifyInput(input);
}

/** Returns a schema with `type: "object"`, which some formats require. */
export function objectSchema(schema: JsonObject): JsonObject {
  return schema.type === "object" ? schema : { ...schema, type: "object" };
}
