/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object, keys in no particular order. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Tells a JSON object from arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One spelling for one value: object keys sorted, no white space. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isJsonObject(value)) return `{${sortedEntries(value).map(spellEntry).join(",")}}`;
  return `[${value.map(canonicalJson).join(",")}]`;
}

function sortedEntries(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

function spellEntry([key, value]: [string, JsonValue]): string {
  return `${JSON.stringify(key)}:${canonicalJson(value)}`;
}
