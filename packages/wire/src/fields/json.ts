import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  MAX_JSON_DEPTH,
} from "@longhaul/conversation";

/** Reads the body of a request, or one message of it: an object that every recursive reader and writer can follow to its ground. */
export function readBody(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(path, "an object", value);
  if (isShallow(value)) return value;
  const message = `${path}: nested deeper than ${MAX_JSON_DEPTH} levels; no tool needs that, and no server takes it`;
  throw new LonghaulError("request.malformed", message);
}

/** Whether a value is nested no deeper than any JSON that is meant. */
export function isShallow(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (!isShallow(inner, levels - 1)) return false;
  }
  return true;
}

/** Reads an object. Throws `request.malformed` with the path, the value and the expected type. Fields that are null count as absent. */
export function readObject(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return dropNulls(value);
  throw malformed(path, "an object", value);
}

/**
 * Returns an object without its null fields, because null and absent mean the same to servers and clients. Inner objects stay as they are:
 * a null further down may be an argument of a tool.
 */
export function dropNulls(object: JsonObject): JsonObject {
  for (const key in object) if (object[key] === null) return copyWithoutNulls(object);
  return object;
}

/** Copies field by field, because a stream has thousands of such objects and a list of entries for each takes longer. */
function copyWithoutNulls(object: JsonObject): JsonObject {
  const left: Record<string, JsonValue> = {};
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    if (key === "__proto__") Object.defineProperty(left, key, { value, ...OWN });
    else left[key] = value;
  }
  return left;
}

const OWN = { enumerable: true, configurable: true, writable: true };

/** Returns an object of a reply or of a stream as `present` does, and an empty one if there is none. */
export function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? dropNulls(value) : {};
}

/** Returns a list, and an empty one if the value is absent, null or not a list. */
export function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

/** Reads a list. */
export function readList(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (value !== undefined && isJsonArray(value)) return value;
  throw malformed(path, "a list", value);
}

/** Reads a string. */
export function readString(value: JsonValue | undefined, path: string): string {
  if (typeof value === "string") return value;
  throw malformed(path, "a string", value);
}

/** A string where there is one. */
export function optionalString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns a string unless it is empty, which counts as absent. */
export function nonEmptyString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A count, or 0: vendors leave figures out that are zero, and a negative or infinite one would spoil every sum that it is part of. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** The field of an object, or of nothing. Null counts as nothing. */
export function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? (value[key] ?? undefined) : undefined;
}

/** What is not among `known`, or nothing where everything is. */
export function extraOf(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  // Most objects have nothing of the kind, and a conversation has thousands of objects.
  if (Object.keys(object).every((key) => known.has(key))) return undefined;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !known.has(key)));
}

/** An error that names the place, what stands there and what belongs there. */
export function malformed(path: string, expected: string, value: unknown): LonghaulError {
  return new LonghaulError("request.malformed", `${path}: expected ${expected}, got ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : `a value of type ${typeof value}`;
}

/** Makes a test for one of these words. */
export function isOneOf(words: readonly string[]): (value: JsonValue) => boolean {
  return (value) => typeof value === "string" && words.includes(value);
}

/** Reads how many entries of a list a client wants at once; anything but a positive number means all. */
export function readPageSize(text: string | null): number {
  const size = Number(text);
  return size >= 1 ? Math.floor(size) : Number.POSITIVE_INFINITY;
}

/** `T` with the fields that may be undefined made optional. */
export type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The fields that have a value: an absent field and an undefined one are not the same to JSON and to spreads. */
export function defined<const T extends object>(fields: T): Defined<T>;
export function defined(fields: Readonly<Record<string, unknown>>): object {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    if (fields[key] !== undefined) found[key] = fields[key];
  }
  return found;
}

/** Whether two values say the same: equal all the way down, where an absent field and an undefined one are one. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((value, index) => sameValue(value, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => sameValue(left[key], right[key]));
}
