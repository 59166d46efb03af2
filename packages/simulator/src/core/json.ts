export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an empty object if the value is not one. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns an empty list if the value is not one. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return listIn(value).filter(isObject);
}

/** Returns an empty text if the value is not one. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function textsIn(value: unknown): readonly string[] {
  return listIn(value).filter((element) => typeof element === "string");
}

export function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Whether a field is present; null counts as absent, as it does for the vendors. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function omit(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Returns `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
