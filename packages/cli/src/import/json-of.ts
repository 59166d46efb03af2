import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

/** A value as the object that it is; an empty one where it is something else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A value as the list that it is; an empty one where it is something else. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

/** A value as the text that it is; an empty one where it is something else. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
