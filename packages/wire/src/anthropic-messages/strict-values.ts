import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, LonghaulError } from "@longhaul/conversation";

/** A value of a request and the way to it, as the API writes it: `context_management.edits.0`. */
export interface PlacedValue {
  readonly value: JsonValue | undefined;
  readonly path: string;
}

/** A refusal in the words that the API has for it. */
export function refusal(path: string, words: string): LonghaulError {
  return new LonghaulError("request.malformed", `${path}: ${words}`, { param: path });
}

/** The field of an object, with the way to it; null counts as absent. */
export function fieldAt(object: JsonObject, path: string, key: string): PlacedValue {
  return { value: object[key] ?? undefined, path: `${path}.${key}` };
}

/** An object. */
export function strictObject({ value, path }: PlacedValue): JsonObject {
  if (isJsonObject(value)) return value;
  throw refusal(path, "Input should be an object");
}

/** Refuses an object with other fields than these. */
export function refuseOthers(object: JsonObject, path: string, fields: readonly string[]): void {
  const other = Object.keys(object).find((key) => !fields.includes(key));
  if (other !== undefined) throw refusal(`${path}.${other}`, "Extra inputs are not permitted");
}

/** The `type` of an object, which is one of these. */
export function strictTag<const Tag extends string>(object: JsonObject, path: string, tags: readonly Tag[]): Tag {
  const { type } = object;
  if (typeof type !== "string") throw refusal(path, "Unable to extract tag using discriminator 'type'");
  const found = tags.find((tag) => tag === type);
  if (found !== undefined) return found;
  const expected = tags.map((tag) => `'${tag}'`).join(", ");
  throw refusal(path, `Input tag '${type}' found using 'type' does not match any of the expected tags: ${expected}`);
}

/** A list. */
export function strictList({ value, path }: PlacedValue): readonly JsonValue[] {
  if (value !== undefined && isJsonArray(value)) return value;
  throw refusal(path, "Input should be a valid array");
}

/** A list of strings. */
export function strictStrings(placed: PlacedValue): readonly string[] {
  return strictList(placed).map((value, index) => strictString({ value, path: `${placed.path}.${index}` }));
}

/** A string. */
export function strictString({ value, path }: PlacedValue): string {
  if (typeof value === "string") return value;
  throw refusal(path, "Input should be a valid string");
}

/** A truth value. */
export function strictBoolean({ value, path }: PlacedValue): boolean {
  if (typeof value === "boolean") return value;
  throw refusal(path, "Input should be a valid boolean");
}

/** A whole number that is not below a minimum. */
export function strictInteger({ value, path }: PlacedValue, minimum: number): number {
  if (value === undefined) throw refusal(path, "Field required");
  if (typeof value !== "number" || !Number.isInteger(value)) throw refusal(path, "Input should be a valid integer");
  if (value >= minimum) return value;
  throw refusal(path, `Input should be greater than or equal to ${minimum}`);
}
