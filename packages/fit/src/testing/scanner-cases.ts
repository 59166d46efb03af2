import { isJsonObject } from "@longhaul/conversation";
import { splitBody } from "@longhaul/wire";
import { peekModel } from "../request/decode.ts";
import { peekStream } from "../request/peek-body.ts";

/** A random source from 0 up to 1 that is the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Keys as spelled in JSON: mostly those that the scanner searches for, also in disguise. */
const KEYS = [
  '"model"',
  '"model"',
  '"stream"',
  '"stream"',
  '"messages"',
  '"input"',
  '"\\u006dodel"',
  '"mod\\u0065l"',
  '"strea\\u006D"',
  '"\\u0073tream"',
  '"a\\"stream"',
  '"a\\"model"',
  '"\\\\"',
  '"model\\\\"',
  '"m\\u00f6del"',
  '"möd"',
  '"__proto__"',
  '""',
  '"Model"',
];
const SCALARS = [
  "true",
  "false",
  "null",
  "0",
  "-1.5e9",
  '"a"',
  '""',
  '"model"',
  '"stream"',
  '"\\"model\\":1}"',
  '"\\\\"',
  '"\\ud800"',
];
/** White space, a byte order mark and damage occur from time to time. */
const BLANKS = ["", "", "", "", " ", "\n", "\t \r\n"];
const DAMAGE = ['"', "\\", "{", "}", "[", "]", ",", ":", " ", "x", "1", '"model":', '"stream":true}'];
const LONG = `"${"long text, ".repeat(6)}\\"model\\": \\"b\\"${"\\\\".repeat(3)}\\"stream\\""`;

/** Makes the text of a body that is JSON or nearly so, with many duplicates, escapes and names that the scanner searches for. */
export function makeScannerCase(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const blank = () => pick(BLANKS);
  const value = (depth: number): string => {
    const kind = random();
    if (depth === 0 || kind < 0.5) return random() < 0.05 ? LONG : pick(SCALARS);
    return kind < 0.75 ? object(depth - 1) : list(depth - 1);
  };
  const joined = (count: number, make: () => string) => {
    let text = "";
    for (let index = 0; index < count; index++) text += `${index === 0 ? "" : ","}${blank()}${make()}${blank()}`;
    return text;
  };
  const object = (depth: number): string =>
    `{${joined(Math.floor(random() * 5), () => `${pick(KEYS)}${blank()}:${blank()}${value(depth)}`)}}`;
  const list = (depth: number): string => `[${joined(Math.floor(random() * 4), () => value(depth))}]`;
  const text = `${random() < 0.03 ? "\ufeff" : ""}${blank()}${object(3)}${blank()}`;
  if (random() < 0.8) return text;
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + pick(DAMAGE) + text.slice(at + (random() < 0.5 ? 1 : 0));
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Describes how the scanner differs from a parser; undefined if they agree or if the scanner leaves the body to the parser. */
export function scannerFault(text: string): string | undefined {
  const bytes = utf8.encode(text);
  const parsed = parse(bytes);
  const found = peekModel(bytes)?.model;
  const streams = ["messages", "input"].map((list) => peekStream(bytes, list));
  const splits = ["messages", "input"].map((list) => readSplit(bytes, list));
  if (!isJsonObject(parsed)) {
    return splits.some((split) => split !== undefined) ? "splits a text that is not a JSON object" : undefined;
  }
  if (found !== undefined && found !== parsed.model) return `model: ${found}, parser: ${JSON.stringify(parsed.model)}`;
  const isStream = parsed.stream === true;
  if (streams.some((stream) => stream !== undefined && stream !== isStream)) {
    return `stream: ${streams.join()}, parser: ${JSON.stringify(parsed.stream)}`;
  }
  if (splits.every((split) => split === undefined)) return undefined;
  const whole = JSON.stringify(Object.entries(parsed));
  const other = splits.find((split) => split !== undefined && split !== whole);
  return other === undefined ? undefined : `split: ${other}, parser: ${whole}`;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The fields of a body as the splitter finds them, as JSON; undefined if it is not sure or a span does not parse. */
function readSplit(bytes: Uint8Array, list: string): string | undefined {
  const split = splitBody(bytes, list);
  if (split === undefined) return undefined;
  const read = ({ from, to }: { from: number; to: number }) => JSON.parse(fromUtf8.decode(bytes.subarray(from, to)));
  try {
    const items = split.items.map(read);
    const fields = [...split.fields].map(([name, span]) => [name, name === list ? items : read(span)]);
    return JSON.stringify(Object.entries(Object.fromEntries(fields)));
  } catch {
    return undefined;
  }
}
