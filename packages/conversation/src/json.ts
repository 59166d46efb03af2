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

/** Tells a JSON array from the other values; `Array.isArray` alone forgets what a readonly array holds. */
export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a value is JSON all the way down, and no deeper than `maxDepth` levels. */
export function isJsonValue(value: unknown, maxDepth = MAX_JSON_DEPTH): value is JsonValue {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return value === null || SCALARS.has(typeof value);
  if (maxDepth === 0 || !(Array.isArray(value) || isPlainObject(value))) return false;
  return Object.values(value).every((inner) => isJsonValue(inner, maxDepth - 1));
}

/** Deeper than any tool's input is, and shallow enough for every recursive reader. */
export const MAX_JSON_DEPTH = 500;

const SCALARS: ReadonlySet<string> = new Set(["string", "boolean"]);

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** One spelling for one value: object keys sorted, no white space. */
export function canonicalJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isJsonObject(value)) return `{${sortedEntries(value).map(spellEntry).join(",")}}`;
  return JSON.stringify(value);
}

function sortedEntries(object: JsonObject): [string, JsonValue][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

function spellEntry([key, value]: [string, JsonValue]): string {
  return `${JSON.stringify(key)}:${canonicalJson(value)}`;
}
