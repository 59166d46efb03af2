import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation";
import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";

/** A value with some of its parts replaced by anything, or left out. */
export function anyDamaged(value: JsonValue): fc.Arbitrary<JsonValue> {
  const damage = fc.record({ seed: fc.nat(), replacement: fc.option(anyOddValue(), { nil: undefined }) });
  return fc.array(damage, { minLength: 1, maxLength: 3 }).map((damages) =>
    damages.reduce<JsonValue>((damaged, { seed, replacement }) => {
      const places = placesIn(damaged);
      return replaceAt(damaged, places[seed % places.length] ?? [], replacement);
    }, value),
  );
}

function anyOddValue(): fc.Arbitrary<JsonValue> {
  return fc.oneof<fc.Arbitrary<JsonValue>[]>(
    anyJson(),
    fc.constantFrom<JsonValue>(
      null,
      "",
      0,
      -1,
      true,
      [],
      {},
      [null],
      { type: "text" },
      { type: 7 },
      "text",
      "tool_use",
      [[]],
    ),
  );
}

type Place = readonly (string | number)[];

function placesIn(value: JsonValue, at: Place = []): Place[] {
  if (isJsonArray(value)) return [at, ...value.flatMap((inner, index) => placesIn(inner, [...at, index]))];
  if (!isJsonObject(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];
}

function replaceAt(value: JsonValue, [first, ...rest]: Place, replacement: JsonValue | undefined): JsonValue {
  if (first === undefined) return replacement ?? null;
  if (isJsonArray(value)) {
    return value.flatMap((inner, index) => (index === first ? changed(inner, rest, replacement) : [inner]));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    return key === `${first}` ? changed(inner, rest, replacement).map((left) => [key, left]) : [[key, inner]];
  });
  return Object.fromEntries(entries);
}

function changed(inner: JsonValue, rest: Place, replacement: JsonValue | undefined): JsonValue[] {
  if (rest.length > 0) return [replaceAt(inner, rest, replacement)];
  return replacement === undefined ? [] : [replacement];
}
