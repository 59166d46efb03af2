import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import type { Random } from "./random.ts";

/** Initial values and their parts, which are inserted at other places. */
export interface Corpus {
  readonly values: readonly JsonValue[];
  readonly pieces: readonly JsonValue[];
  readonly keys: readonly string[];
}

/** Names that every object inherits or that have a meaning to a runtime. */
const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "length"];

const DEEP = nested(600);
const BOTTOMLESS = nested(2_000);
const LONG = "long text without an end, ".repeat(400);

const ODD_VALUES: readonly JsonValue[] = [
  ...[null, true, false, "", " ", [], {}, [null], [[]], [{}], { type: null }, { type: "text" }, { text: null }],
  ...[0, -0, -1, 0.5, 1e21, -1e308, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53, 4_294_967_296],
  ...["\ud800", "\udc00 x", "\u0000", "\ufeff", "ı", "0", "-1", "1e9", "null", "[DONE]", "{", '{"a":', "9".repeat(400)],
  ...["data:image/png;base64,AAAA", "data:,", "data:", "https://a/b", "A".repeat(9)],
  ...PROTOTYPE_NAMES,
  ...PROTOTYPE_NAMES.map((name) => Object.fromEntries([[name, null]])),
  ...[Object.fromEntries([["__proto__", { type: "text" }]]), { toString: "x", valueOf: 1 }, { length: -1, 0: "a" }],
];

const RARE_VALUES: readonly JsonValue[] = [DEEP, BOTTOMLESS, LONG, Array.from({ length: 300 }, () => ({}))];

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const MAX_PIECES = 4_000;

/** Creates a corpus from values. */
export function makeCorpus(values: readonly JsonValue[]): Corpus {
  const pieces: JsonValue[] = [];
  const keys = new Set(PROTOTYPE_NAMES);
  const gather = (value: JsonValue): void => {
    if (pieces.length >= MAX_PIECES) return;
    pieces.push(value);
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!isJsonArray(value)) keys.add(key);
      gather(inner);
    }
  };
  for (const value of values) gather(value);
  return { values, pieces, keys: [...keys] };
}

/** Returns a value of the corpus with one to four parts replaced, removed, duplicated, renamed or wrapped. Does not modify the corpus. */
export function mutatedValue(random: Random, corpus: Corpus): JsonValue {
  let value = random.pick(corpus.values);
  for (let left = 1 + random.below(4); left > 0; left--) value = mutated(value, random, corpus);
  return value;
}

const GO_ON_PERCENT = 80;

function mutated(value: JsonValue, random: Random, corpus: Corpus): JsonValue {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" && random.chance(30) ? mutatedText(value, random) : oddValue(random, corpus);
  }
  const keys = Object.keys(value);
  const key = keys[random.below(Math.max(1, keys.length))];
  if (key !== undefined && random.chance(GO_ON_PERCENT)) {
    const inner = mutated(Reflect.get(value, key), random, corpus);
    return isJsonArray(value) ? value.with(Number(key), inner) : withEntry(value, key, inner);
  }
  if (random.chance(40)) return oddValue(random, corpus);
  return isJsonArray(value) ? mutatedList(value, random, corpus) : mutatedObject(value, random, corpus);
}

function oddValue(random: Random, { pieces }: Corpus): JsonValue {
  if (random.chance(1)) return random.pick(RARE_VALUES);
  return random.pick(random.chance(50) ? ODD_VALUES : pieces);
}

function mutatedList(list: readonly JsonValue[], random: Random, corpus: Corpus): JsonValue {
  const at = random.below(list.length + 1);
  switch (random.below(5)) {
    case 0:
      return list.toSpliced(at, 1);
    case 1:
      return list.toSpliced(at, 0, oddValue(random, corpus));
    case 2:
      return list.toSpliced(at, 0, ...list.slice(at, at + 1), ...list.slice(0, 2));
    case 3:
      return list.toReversed();
    default:
      return Object.fromEntries(list.entries());
  }
}

function mutatedObject(object: JsonObject, random: Random, corpus: Corpus): JsonValue {
  const entries = Object.entries(object);
  const at = random.below(Math.max(1, entries.length));
  const [name = "", value = null] = entries[at] ?? [];
  switch (random.below(5)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1));
    case 1:
      return withEntry(object, random.pick(corpus.keys), oddValue(random, corpus));
    case 2:
      return Object.fromEntries([...entries.toSpliced(at, 1), [random.pick(corpus.keys), value]]);
    case 3:
      return [object];
    default:
      return withEntry(object, name, [value, value]);
  }
}

/** Sets an own property of any name, like a JSON parser. */
function withEntry(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(object), [key, value]]);
}

const TOKENS = [
  ...[
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\t",
    "\u0000",
    "\ufeff",
    "\ud83d",
    "é",
  ],
  ...[
    "null",
    "true",
    "-",
    "0",
    "1e999",
    '\\"',
    "\\\\",
    "\\u0061",
    "\\ud800",
    "\\u",
    '""',
    "data:",
    "event:",
    ": ",
    "[DONE]",
  ],
  ...[
    '"model":',
    '"stream":true',
    '"stream":',
    '"messages":[',
    '"__proto__":',
    "${",
    "}",
    "*",
    "%2e",
    "../",
    "(high)",
    ":8k",
  ],
];

/** Returns text with one to three pieces removed, duplicated, inserted or cut off. */
export function mutatedText(text: string, random: Random): string {
  let result = text;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(result.length + 1);
    const to = at + random.below(random.chance(80) ? 8 : 200);
    result = changedText(result, { at, to }, random);
  }
  return result;
}

function changedText(text: string, { at, to }: { at: number; to: number }, random: Random): string {
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, to) + text.slice(at);
    case 2:
    case 3:
      return text.slice(0, at) + random.pick(TOKENS) + text.slice(at);
    case 4:
      return text.slice(0, at) + random.pick(TOKENS) + text.slice(at + 1);
    case 5:
      return random.chance(30)
        ? text.slice(0, at)
        : text.slice(0, at) + String.fromCharCode(random.below(128)) + text.slice(at + 1);
    default:
      return (
        text.slice(0, at) + text.slice(at, to).repeat(1 + random.below(random.chance(2) ? 2_000 : 4)) + text.slice(to)
      );
  }
}

/** Returns bytes with one to three of them flipped, sometimes truncated. */
export function mutatedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let left = 1 + random.below(3); left > 0 && copy.length > 0; left--) {
    copy[random.below(copy.length)] = random.chance(50)
      ? random.below(256)
      : random.pick([0, 0x0a, 0x0d, 0x22, 0x5c, 0xff]);
  }
  return random.chance(20) ? copy.subarray(0, random.below(copy.length + 1)) : copy;
}

/** Returns sorted positions at which to split `length` bytes. */
export function anyCuts(length: number, random: Random): number[] {
  if (random.chance(10)) return Array.from({ length: Math.min(length, 300) }, (_, at) => at + 1);
  return Array.from({ length: random.below(8) }, () => random.below(length + 1)).toSorted(
    (left, right) => left - right,
  );
}

/** Splits bytes at these positions. Positions out of range count as the ends. */
export function cutBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
}

/** Deeper values are written plainly: code that is not compiled yet needs more stack than there is. */
const MAX_ENCODED_DEPTH = 500;

/** Writes a value as JSON with random whitespace, escapes and repeated fields. */
export function encodedJson(value: JsonValue, random: Random, depth = 0): string {
  if (depth > MAX_ENCODED_DEPTH) return JSON.stringify(value);
  const blank = random.chance(40) ? "" : random.pick([" ", "\n", "\t", " \r\n "]);
  if (typeof value === "string") return encodedText(value, random);
  if (isJsonArray(value))
    return `[${blank}${value.map((inner) => encodedJson(inner, random, depth + 1)).join(`${blank},`)}${blank}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, inner]) => `${encodedText(key, random)}${blank}:${blank}${encodedJson(inner, random, depth + 1)}`,
  );
  const twice = fields.length > 0 && random.chance(15) ? random.pick(fields) : "";
  // Every enclosing object would double a long value again.
  if (twice !== "" && twice.length < 500) fields.splice(random.below(fields.length + 1), 0, twice);
  return `{${blank}${fields.join(`,${blank}`)}${blank}}`;
}

function encodedText(text: string, random: Random): string {
  const plain = JSON.stringify(text);
  if (text.length === 0 || !random.chance(6)) return plain;
  const at = random.below(text.length);
  const escaped = `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text.slice(0, at)).slice(0, -1) + escaped + JSON.stringify(text.slice(at + 1)).slice(1);
}
