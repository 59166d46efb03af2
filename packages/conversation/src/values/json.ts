/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a value is an object, not an array, null or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` for JSON values; the built-in one loses the element type of a readonly array. */
export function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a value is JSON all the way down, nested at most `maxDepth` levels. */
export function isJsonValue(value: unknown, maxDepth = MAX_JSON_DEPTH): value is JsonValue {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return value === null || SCALARS.has(typeof value);
  if (maxDepth === 0 || !(Array.isArray(value) || isPlainObject(value))) return false;
  return Object.values(value).every((inner) => isJsonValue(inner, maxDepth - 1));
}

/** Deeper than any real tool input, and shallow enough for recursive code. */
export const MAX_JSON_DEPTH = 500;

const SCALARS: ReadonlySet<string> = new Set(["string", "boolean"]);

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/**
 * Serializes a value deterministically, to compare or hash it: keys are sorted, and strings are prefixed with their length because JSON
 * escaping would take longer than hashing.
 */
export function stableStringify(value: JsonValue): string {
  if (typeof value === "string") return `${value.length}"${value}`;
  // A string grown by appending is copied once, at the end; `join` would copy it at every level.
  let text = "";
  if (isJsonArray(value)) {
    for (const inner of value) text += stableStringify(inner);
    return `[${text}]`;
  }
  if (isJsonObject(value)) {
    for (const key of Object.keys(value).sort()) text += stableStringify(key) + stableStringify(value[key] ?? null);
    return `{${text}}`;
  }
  return `${value};`;
}

/**
 * Creates a lookup table for untrusted keys. It has no prototype: `table["constructor"]` and `table["__proto__"]` are undefined unless
 * listed.
 */
export function table<const Entries extends object>(entries: Entries): Readonly<Entries> {
  return Object.freeze(Object.assign(Object.create(null), entries));
}

/** Looks up an untrusted key in an object that may have a prototype. Returns undefined unless it is an own property. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
