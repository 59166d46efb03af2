import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

export function isJsonList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Returns a token count, or 0 if it is missing or negative. */
export function tokensAt(object: JsonObject | undefined, key: string): number {
  return Math.max(0, numberAt(object, key) ?? 0);
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

export function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] | undefined {
  const value = object?.[key];
  return isJsonList(value) ? value : undefined;
}

/** Returns a time in milliseconds since 1970, from a number or an ISO date. A date without a zone is UTC. */
export function timeAt(object: JsonObject | undefined, key: string): number | undefined {
  const text = textAt(object, key);
  if (text === undefined) return numberAt(object, key);
  const date = ISO_DATE.exec(text);
  if (date === null) return undefined;
  const [, clock, zone] = date;
  const time = Date.parse(clock !== undefined && zone === undefined ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

/** `Date.parse` would use the machine's own time zone for other forms. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Returns the fields that are not in `known` as an `extra` field. */
export function extraFields(object: JsonObject, known: ReadonlySet<string>): { readonly extra?: JsonObject } {
  const unknown = Object.entries(object).filter(([key]) => !known.has(key));
  return unknown.length === 0 ? {} : { extra: Object.fromEntries(unknown) };
}
