import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { objectIn } from "../fields/json.ts";

/**
 * Returns an API object with its field names in camel case. The REST API accepts `inlineData` and `inline_data` alike. Nested objects are
 * unchanged, because they may be the client's own data.
 */
export function camelFields(object: JsonObject): JsonObject {
  if (!Object.keys(object).some((name) => name.includes("_"))) return object;
  const camelName = (name: string) =>
    name.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [camelName(name), value]));
}

/** Applies `camelFields` to one field of an object. */
export function camelField(object: JsonObject, name: string): JsonObject {
  const inner = object[name];
  if (!isJsonObject(inner)) return object;
  const renamed = camelFields(inner);
  return renamed === inner ? object : { ...object, [name]: renamed };
}

/** Returns the fields of a nested API object in camel case, without nulls. Returns an empty object for other values. */
export function innerFields(value: JsonValue | undefined): JsonObject {
  return camelFields(objectIn(value));
}

export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
