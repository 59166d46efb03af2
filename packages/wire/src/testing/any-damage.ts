import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";

/** Names that every object inherits. */
const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"] as const;

/** A value with some of its parts replaced, removed, or renamed to an inherited name. */
export function anyDamaged(value: JsonValue): fc.Arbitrary<JsonValue> {
  const damage = fc.record({
    seed: fc.nat(),
    replacement: fc.option(fc.oneof(anyOddValue(), anyPrototypeName()), { nil: undefined }),
    key: fc.option(anyPrototypeName(), { freq: 5 }),
  });
  return fc.array(damage, { minLength: 1, maxLength: 3 }).map((damages) =>
    damages.reduce<JsonValue>((damaged, { seed, replacement, key }) => {
      const paths = pathsIn(damaged);
      const path = paths[seed % paths.length] ?? [];
      return key === null ? replaceAt(damaged, path, replacement) : renameAt(damaged, path, key);
    }, value),
  );
}

/** Yields the value with each odd value at each path, and with each inherited name for each key, one at a time. */
export function* everyDamage(value: JsonValue): Generator<JsonValue> {
  const odd: readonly JsonValue[] = [...PROTOTYPE_NAMES, ...UNPRINTABLE, null, 7, -1, 1.5, [], {}, [{}], true];
  for (const path of pathsIn(value)) {
    for (const replacement of odd) yield replaceAt(value, path, replacement);
    for (const name of PROTOTYPE_NAMES) yield renameAt(value, path, name);
  }
}

/** `String(value)` throws on these. */
const UNPRINTABLE: readonly JsonValue[] = [{ toString: 1, valueOf: 1 }, [{ toString: null }]];

function anyPrototypeName(): fc.Arbitrary<string> {
  return fc.constantFrom(...PROTOTYPE_NAMES);
}

function anyOddValue(): fc.Arbitrary<JsonValue> {
  return fc.oneof<fc.Arbitrary<JsonValue>[]>(
    anyJson(),
    fc.constantFrom<JsonValue>(
      ...UNPRINTABLE,
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

type JsonPath = readonly (string | number)[];

function pathsIn(value: JsonValue, at: JsonPath = []): JsonPath[] {
  if (isJsonArray(value)) return [at, ...value.flatMap((inner, index) => pathsIn(inner, [...at, index]))];
  if (!isJsonObject(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...at, key]))];
}

function replaceAt(value: JsonValue, [first, ...rest]: JsonPath, replacement: JsonValue | undefined): JsonValue {
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

/** Renames the key at a path. An array index stays unchanged. */
function renameAt(value: JsonValue, [first, ...rest]: JsonPath, name: string): JsonValue {
  if (isJsonArray(value)) return value.map((inner, index) => (index === first ? renameAt(inner, rest, name) : inner));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, JsonValue] => {
    if (key !== `${first}`) return [key, inner];
    return rest.length === 0 ? [name, inner] : [key, renameAt(inner, rest, name)];
  });
  return Object.fromEntries(entries);
}

function changed(inner: JsonValue, rest: JsonPath, replacement: JsonValue | undefined): JsonValue[] {
  if (rest.length > 0) return [replaceAt(inner, rest, replacement)];
  return replacement === undefined ? [] : [replacement];
}
