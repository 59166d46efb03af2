import type { JsonObject, JsonValue } from "@longhaul/conversation";
import fc from "fast-check";

/** Anything that is not an entry of a log. In a list, it must be JSON. */
export function anyJunk(layout: "lines" | "list"): fc.Arbitrary<string> {
  const scalar = fc
    .oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean())
    .map((value) => JSON.stringify(value));
  const broken = fc.string({ minLength: 1 }).map((text) => `{${text.replaceAll(/[\n}]/g, " ")}`);
  return layout === "lines" ? fc.oneof(scalar, broken) : scalar;
}

export function isJunk(entry: string): boolean {
  return !(entry.startsWith("{") && entry.endsWith("}"));
}

/** A log with one value replaced or one piece missing. */
export function anyDamage(
  entries: readonly JsonObject[],
  join: (entries: readonly string[]) => string,
): fc.Arbitrary<string> {
  const value = fc.jsonValue({ maxDepth: 2 }).map((json): JsonValue => JSON.parse(JSON.stringify(json)));
  const replaced = fc.tuple(fc.nat(), fc.array(fc.nat(), { maxLength: 5 }), value).map(([at, path, other]) => {
    const index = at % entries.length;
    return join(entries.map((entry, place) => JSON.stringify(place === index ? replaceAt(entry, path, other) : entry)));
  });
  const cut = fc.tuple(fc.nat(), fc.nat(200)).map(([at, length]) => {
    const text = join(entries.map((entry) => JSON.stringify(entry)));
    const from = at % text.length;
    return text.slice(0, from) + text.slice(from + length);
  });
  return fc.oneof(replaced, cut);
}

/** Follows `path`, where each number selects one of the values, and puts `other` at its end. */
function replaceAt(value: JsonValue, path: readonly number[], other: JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  return Object.assign(copy, { [key]: replaceAt(Reflect.get(value, key), rest, other) });
}
