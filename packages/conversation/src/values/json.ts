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

/**
 * One spelling for one value, to compare and to hash: keys in order, and texts behind their length, because the escapes of JSON would take
 * longer than the hash.
 */
export function spellJson(value: JsonValue): string {
  if (typeof value === "string") return `${value.length}"${value}`;
  // Grown piece by piece, a text is copied once, at the end; `join` would copy it at every level.
  let spelled = "";
  if (isJsonArray(value)) {
    for (const inner of value) spelled += spellJson(inner);
    return `[${spelled}]`;
  }
  if (isJsonObject(value)) {
    for (const key of Object.keys(value).sort()) spelled += spellJson(key) + spellJson(value[key] ?? null);
    return `{${spelled}}`;
  }
  return `${value};`;
}

/**
 * A look-up table for keys from outside. It has no prototype, so that `table["constructor"]` and `table["__proto__"]` are absent unless they
 * are listed.
 */
export function table<const Entries extends object>(entries: Entries): Readonly<Entries> {
  return Object.freeze(Object.assign(Object.create(null), entries));
}

/** The value of a key from outside in an object that may have a prototype; absent unless the object has the key itself. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
