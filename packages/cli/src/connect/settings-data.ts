import { isJsonObject, type JsonValue, type LonghaulError } from "@longhaul/conversation";
import { invalid } from "../terminal/invalid.ts";
import type { Path } from "./editor.ts";

export function valueAt(data: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return data;
  return valueAt(entryOf(data, name), rest);
}

function entryOf(data: unknown, name: string): unknown {
  const wanted = listEntry(name);
  if (wanted !== undefined) return Array.isArray(data) ? data[indexOf(data, wanted)] : undefined;
  return isJsonObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}

export function withValue(data: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const inner = withValue(entryOf(data, name), rest, value);
  const wanted = listEntry(name);
  if (wanted === undefined) return { ...(isJsonObject(data) ? data : {}), [name]: inner };
  const list: unknown[] = Array.isArray(data) ? data : [];
  const index = indexOf(list, wanted);
  return index === -1 ? [...list, inner] : list.with(index, inner);
}

/** Returns a copy of data without the value at a path, and without objects below `keptDepth` that it leaves empty. */
export function withoutValue(data: unknown, path: Path, keptDepth: number): unknown {
  const name = path.at(-1);
  const above = path.slice(0, -1);
  if (name === undefined || valueAt(data, path) === undefined) return data;
  const holder = valueAt(data, above);
  const rest = without(holder, name);
  const isEmpty = Object.keys(isJsonObject(rest) || Array.isArray(rest) ? rest : {}).length === 0;
  if (isEmpty && above.length > keptDepth) return withoutValue(data, above, keptDepth);
  return withValue(data, above, rest);
}

function without(holder: unknown, name: string): unknown {
  const wanted = listEntry(name);
  if (wanted !== undefined) return Array.isArray(holder) ? holder.toSpliced(indexOf(holder, wanted), 1) : holder;
  return isJsonObject(holder) ? Object.fromEntries(Object.entries(holder).filter(([each]) => each !== name)) : holder;
}

/** Counts the objects on the way to a path that exist. */
export function holdersIn(data: unknown, path: Path): number {
  const missing = path.findIndex((_, index) => valueAt(data, path.slice(0, index + 1)) === undefined);
  return missing === -1 ? path.length : missing;
}

/** Throws if another value is in the place of an object or list on the path, or an object in the place of a plain value. */
export function requireRoom(data: unknown, path: Path, value: JsonValue): void {
  for (const [index, name] of path.entries()) {
    const above = path.slice(0, index);
    const holder = valueAt(data, above);
    const isList = listEntry(name) !== undefined;
    if (holder === undefined || (isList ? Array.isArray(holder) : isPlain(holder))) continue;
    throw wrongType(above, holder, isList ? "a list" : "an object");
  }
  const there = valueAt(data, path);
  if (!isJsonObject(value) && typeof there === "object" && there !== null)
    throw wrongType(path, there, "a plain value");
}

function isPlain(value: unknown): boolean {
  return isJsonObject(value) && !(value instanceof Date);
}

function wrongType(path: Path, found: unknown, wanted: string): LonghaulError {
  const where = path.length === 0 ? "the whole file" : path.join(".");
  const why = `${where} is ${describe(found)} instead of ${wanted}; change or remove it, then try again`;
  return invalid(why);
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (isPlain(value)) return "an object";
  return value instanceof Date ? "a date" : `a ${typeof value}`;
}

/** Returns x for the list entry `name=x`. */
function listEntry(name: string): string | undefined {
  return /^name=(.*)$/s.exec(name)?.[1];
}

function indexOf(list: readonly unknown[], wanted: string): number {
  return list.findIndex((entry) => isJsonObject(entry) && entry.name === wanted);
}
