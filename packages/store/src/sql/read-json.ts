import { isJsonObject, type JsonObject } from "@longhaul/conversation";

/** The value of a JSON column, `undefined` where it is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object of a JSON column, empty where it is none. */
export function readJsonObject(text: string): JsonObject {
  const value = readJson(text);
  return isJsonObject(value) ? value : {};
}
