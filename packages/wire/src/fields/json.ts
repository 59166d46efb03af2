import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  MAX_JSON_DEPTH,
  type Native,
  type TextBlock,
  type WireId,
} from "@longhaul/conversation/advanced";
import { mapSteps, type Steps } from "../codec/stepper.ts";

/** Reads one message, and limits its depth so that recursive readers and writers cannot overflow the stack. */
export function readBody(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(path, "an object", value);
  if (isShallow(value)) return value;
  throw tooDeep(path);
}

/** Does the same for a whole request body, whose fields may be long lists. */
export function* readBodySteps(value: unknown, path: string): Steps<JsonObject> {
  if (!isJsonObject(value)) throw malformed(path, "an object", value);
  for (const field of Object.values(value)) {
    const isList = Array.isArray(field);
    const checked = isList ? yield* mapSteps(field, (entry) => isShallow(entry, MAX_JSON_DEPTH - 2)) : [];
    if (isList ? checked.includes(false) : !isShallow(field, MAX_JSON_DEPTH - 1)) throw tooDeep(path);
  }
  return value;
}

function tooDeep(path: string): LonghaulError {
  const message = `${path}: nested more than ${MAX_JSON_DEPTH} levels deep; reduce the nesting`;
  return new LonghaulError("request.malformed", message);
}

/** Whether a value is nested at most `levels` deep. */
export function isShallow(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (!isShallow(inner, levels - 1)) return false;
  }
  return true;
}

/** Reads an object and drops its null fields. Throws `request.malformed` with the path, the value and the expected type. */
export function readObject(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return dropNulls(value);
  throw malformed(path, "an object", value);
}

/**
 * Returns an object without its null fields, because null and absent mean the same to servers and clients. Inner objects are unchanged: a
 * nested null may be a tool's argument.
 */
export function dropNulls(object: JsonObject): JsonObject {
  for (const key in object) if (object[key] === null) return copyWithoutNulls(object);
  return object;
}

/** Copies field by field, which is faster than `Object.entries`; a stream has thousands of such objects. */
function copyWithoutNulls(object: JsonObject): JsonObject {
  const left: Record<string, JsonValue> = {};
  for (const key in object) {
    const value = object[key];
    if (value === undefined || value === null) continue;
    setOwn(left, key, value);
  }
  return left;
}

/** Sets a field of any name, even `__proto__`, like a JSON parser. */
export function setOwn(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Returns an object without its null fields, or an empty object if the value is not one. */
export function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? dropNulls(value) : {};
}

/** Returns an array, or an empty one if the value is not an array. */
export function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

export function readList(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (value !== undefined && isJsonArray(value)) return value;
  throw malformed(path, "an array", value);
}

/** Does the same as `readEach` for a long list. */
export function readSteps<T>(
  value: JsonValue | undefined,
  path: string,
  decode: (entry: JsonValue, path: string) => T,
): Steps<readonly T[]> {
  return mapSteps(readList(value, path), (entry, index) => decode(entry, `${path}[${index}]`));
}

/** Reads a list and decodes each entry with its path. */
export function readEach<T>(
  value: JsonValue | undefined,
  path: string,
  decode: (entry: JsonValue, path: string) => T,
): readonly T[] {
  return readList(value, path).map((entry, index) => decode(entry, `${path}[${index}]`));
}

export function readString(value: JsonValue | undefined, path: string): string {
  if (typeof value === "string") return value;
  throw malformed(path, "a string", value);
}

export function optionalString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function nonEmptyString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a count, or 0 if it is missing, negative or infinite: vendors omit zeros, and a bad figure would spoil every sum. */
export function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}

/** Returns a field of an object. Returns undefined if the value is not an object or the field is null. */
export function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? (value[key] ?? undefined) : undefined;
}

/** Returns the fields that are not in `known`, or undefined if there are none. */
export function extraOf(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  // Most objects have no unknown fields, and a conversation has thousands of objects.
  if (Object.keys(object).every((key) => known.has(key))) return undefined;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !known.has(key)));
}

/** Creates an error that names the path, the expected type and the value found. */
export function malformed(path: string, expected: string, value: unknown): LonghaulError {
  return new LonghaulError("request.malformed", `${path}: expected ${expected}, got ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : `a value of type ${typeof value}`;
}

/** Returns a test for a string that is one of these words. */
export function isOneOf(values: readonly string[]): (value: JsonValue) => boolean {
  return (value) => typeof value === "string" && values.includes(value);
}

/** Reads the page size of a list request. Anything but a positive number means no limit. */
export function readPageSize(text: string | null): number {
  const size = Number(text);
  return size >= 1 ? Math.floor(size) : Number.POSITIVE_INFINITY;
}

/** `T` with fields that may be undefined made optional. */
export type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the fields that are not undefined. Spreads and JSON treat an absent field and an undefined one differently. */
export function defined<const T extends object>(fields: T): Defined<T>;
/** Copies in a loop, because a conversation has thousands of objects. */
export function defined(fields: Readonly<Record<string, unknown>>): object {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    if (fields[key] !== undefined) found[key] = fields[key];
  }
  return found;
}

/** Returns a text block that was received as a plain string. */
export function nativeText(wire: WireId, text: string): TextBlock {
  return { type: "text", text, native: { wire, value: text } };
}

/** Returns a message's native form, or undefined if it contains another vendor's reasoning, so that it is never sent back unchanged. */
export function nativeMessage(wire: WireId, value: JsonValue, blocks: readonly Block[]): Native | undefined {
  return blocks.every((block) => block.native !== undefined) ? { wire, value } : undefined;
}

/** Returns a value without its native form, because it is about to change. */
export function withoutNative<T extends object>(value: T): T extends unknown ? Omit<T, "native"> : never;
export function withoutNative({ native: _, ...rest }: { readonly native?: unknown }): object {
  return rest;
}

/** Whether two values are deeply equal. An absent field equals an undefined one. */
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
