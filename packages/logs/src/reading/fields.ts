import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";

/** Tells a JSON array from everything else. */
export function isJsonList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A field's text, or nothing where it holds no text. */
export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" ? value : undefined;
}

/** A field's number, or nothing where it holds none. */
export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A field's count of tokens; 0 where it holds none. */
export function tokensAt(object: JsonObject | undefined, key: string): number {
  return Math.max(0, numberAt(object, key) ?? 0);
}

/** A field's object, or nothing where it holds none. */
export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** A field's list, or nothing where it holds none. */
export function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] | undefined {
  const value = object?.[key];
  return isJsonList(value) ? value : undefined;
}

/** A field's time in milliseconds since 1970, whether it is spelled as such a number or as an ISO date; one without a zone is in UTC. */
export function timeAt(object: JsonObject | undefined, key: string): number | undefined {
  const text = textAt(object, key);
  if (text === undefined) return numberAt(object, key);
  const date = ISO_DATE.exec(text);
  if (date === null) return undefined;
  const [, clock, zone] = date;
  const time = Date.parse(clock !== undefined && zone === undefined ? `${text}Z` : text);
  return Number.isNaN(time) ? undefined : time;
}

/** Of other spellings, and of a clock without a zone, the machine's own zone would be taken. */
const ISO_DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** The fields that are not in `known`, ready to be spread into a part that carries `extra`. */
export function extraFields(object: JsonObject, known: ReadonlySet<string>): { readonly extra?: JsonObject } {
  const unknown = Object.entries(object).filter(([key]) => !known.has(key));
  return unknown.length === 0 ? {} : { extra: Object.fromEntries(unknown) };
}
