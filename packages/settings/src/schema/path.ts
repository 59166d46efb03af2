import { isJsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";

/** The path of a setting, outermost name first; a number is an index in a list. */
export type Path = readonly PropertyKey[];

/** One name of a path: plain, or quoted as in JSON if it contains a dot, a quote or a space. */
const NAME = /"(?:[^"\\]|\\.)*"|[^."\s]+/y;

/** Reads a path such as `context.strategy` or `models."gpt-4.1"`; anything else throws `settings.invalid`. */
export function parsePath(text: string): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at <= text.length; at = NAME.lastIndex + 1) {
    NAME.lastIndex = at;
    const [name] = NAME.exec(text) ?? [];
    const isWhole = name !== undefined && [".", undefined].includes(text[at + name.length]);
    if (!isWhole) throw notAPath(text);
    names.push(name.startsWith('"') ? unquoted(name, text) : name);
    NAME.lastIndex = at + name.length;
  }
  return names;
}

function unquoted(name: string, text: string): string {
  try {
    return String(parseJsonText(name));
  } catch {
    throw notAPath(text);
  }
}

function notAPath(text: string): LonghaulError {
  return new LonghaulError(
    "settings.invalid",
    `"${text}" is not the path of a setting; separate names with dots, and quote names that contain dots`,
  );
}

/** Writes a path as `parsePath` reads it. */
export function formatPath(path: Path): string {
  return path.map((name) => (/^[^."\s]+$/.test(String(name)) ? String(name) : JSON.stringify(String(name)))).join(".");
}

/** Returns the value at a path, or undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((outer, name) => (isHolder(outer, name) ? Reflect.get(outer, name) : undefined), value);
}

function isHolder(value: unknown, name: PropertyKey): value is object {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}

/** Returns a copy with another value at a path. Missing objects on the path are created. */
export function withValue(value: unknown, [name, ...rest]: Path, inner: unknown): unknown {
  if (name === undefined) return inner;
  const next = withValue(valueAt(value, [name]), rest, inner);
  if (isList(value)) return value.with(Number(name), next);
  return { ...(isJsonObject(value) ? value : {}), [name]: next };
}

/** Returns a copy without the value at a path, and without objects that become empty. */
export function withoutValue(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined || !isJsonObject(value)) return value;
  const { [String(name)]: inner, ...others } = value;
  const left = rest.length === 0 ? undefined : withoutValue(inner, rest);
  const isGone = left === undefined || (isJsonObject(left) && Object.keys(left).length === 0);
  return isGone ? others : { ...others, [name]: left };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns whether a path equals another one or is inside it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.length <= path.length && outer.every((name, index) => String(name) === String(path[index]));
}
