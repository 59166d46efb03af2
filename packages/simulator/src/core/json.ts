/** An object as JSON has them. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object and neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one where it is none. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The elements of a list; none where the value is no list. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in a list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return listIn(value).filter(isObject);
}

/** The value as text; empty where it is none. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The texts in a list. */
export function textsIn(value: unknown): readonly string[] {
  return listIn(value).filter((element) => typeof element === "string");
}

/** The value where it is a number. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Whether a field was given at all: null counts as not given, as it does for the vendors. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The object without some of its fields. */
export function omit(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Parses JSON; `undefined` stands for text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
