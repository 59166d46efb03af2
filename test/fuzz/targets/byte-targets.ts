import { crc32 } from "node:zlib";
import { type JsonValue, parseJsonText } from "@longhaul/conversation/advanced";
import { findModelField, peekStream } from "@longhaul/fit";
import { CODECS, findField, peekField, type Span, splitBody, type WireEvent } from "@longhaul/wire";
import { FORMATS, readEvents } from "@longhaul/wire/testing";
import fc from "fast-check";
import { outlineOf } from "../../../packages/fit/src/request/outline.ts";
import { watchStream, wholeUsage } from "../../../packages/gateway/src/streams/usage-watch.ts";
import { eventFrames } from "../../../packages/upstream/src/transport/event-frames.ts";
import { anyCuts, cutBytes, encodedJson, makeCorpus, mutatedBytes, mutatedText, mutatedValue } from "../mutate.ts";
import type { Random } from "../random.ts";
import { allowing, claim, claimSame, claimUsage, type FuzzTarget, openTarget } from "../target.ts";

/** Readers of bytes: bodies without parsing, and the framing of streams. */
export const BYTE_TARGETS: readonly FuzzTarget[] = [
  { name: "scanner", weight: 6, open: openScanner },
  { name: "scanner-small", weight: 10, open: openSmallScanner },
  { name: "long-texts", weight: 1, open: openLongTexts },
  { name: "sse", weight: 6, open: openSse },
  { name: "event-frames", weight: 2, open: openFrames },
  { name: "usage-watch", weight: 1, open: openUsageWatch },
];

interface Body {
  readonly [key: string]: Uint8Array | string;
  readonly bytes: Uint8Array;
  readonly listKey: string;
}

/** Bodies of every format, rewritten and damaged. */
function openScanner(seed: number) {
  const corpora = FORMATS.map(({ codec, anyBody }) => ({
    listKey: codec.messagesField,
    corpus: makeCorpus(
      fc.sample(anyBody(), { seed, numRuns: 40 }).map((body) => ({ model: "m", stream: true, ...body })),
    ),
  }));
  return openTarget<Body>({
    make: (random) => {
      const { listKey, corpus } = random.pick(corpora);
      const value = random.chance(50) ? random.pick(corpus.values) : mutatedValue(random, corpus);
      return { bytes: damagedBytes(encodedJson(value, random), random), listKey };
    },
    check: (body) => {
      allowing(/^request\./, () => checkScanner(body));
    },
  });
}

const KEYS = [
  '"model"',
  '"stream"',
  '"messages"',
  '"mod\\u0065l"',
  '"str\\u0065am"',
  '"m\\u0065ssages"',
  '"a"',
  '"__proto__"',
  '""',
];
const VALUES = [
  ...["true", "false", "null", "0", "-1.5e3", '"a"', '"model"', '"\\"model\\":1"', '"stream\\":true}"', '"\\\\"'],
  ...[
    "[]",
    "{}",
    "[1,2]",
    '["model"]',
    '[{"role":"user"}]',
    '{"model":"x","stream":true}',
    '{"stream":false}',
    '[{"stream":true}]',
  ],
  ...[`"${"x".repeat(60)}"`, `"${"x".repeat(44)}\\\\\\""`, "1 2", "tru", "01", "+1", "{]", '"\n"'],
];
const BLANKS = ["", "", "", " ", "\n", "\t\r\n", "\u00a0"];

/** Small objects with the fields that are searched for, in any order, repeated and nested. */
function openSmallScanner() {
  return openTarget<Body>({
    make: (random) => {
      const text = smallObject(random, 2);
      return { bytes: random.chance(85) ? Buffer.from(text) : damagedBytes(text, random), listKey: "messages" };
    },
    check: (body) => {
      allowing(/^request\./, () => checkScanner(body));
    },
  });
}

function smallObject(random: Random, depth: number): string {
  const fields = Array.from({ length: random.below(6) }, () => {
    const value = depth > 0 && random.chance(15) ? smallObject(random, depth - 1) : random.pick(VALUES);
    const listed = random.chance(10) ? `[${value},${random.pick(VALUES)}]` : value;
    return `${random.pick(BLANKS)}${random.pick(KEYS)}${random.pick(BLANKS)}:${random.pick(BLANKS)}${listed}${random.pick(BLANKS)}`;
  });
  return `${random.pick(BLANKS)}{${fields.join(",")}}${random.pick(BLANKS)}`;
}

function damagedBytes(text: string, random: Random): Uint8Array {
  if (random.chance(40)) return Buffer.from(text);
  const bytes = Buffer.from(random.chance(70) ? mutatedText(text, random) : text);
  return random.chance(40) ? mutatedBytes(bytes, random) : bytes;
}

/** Values found without parsing are those that a parser finds. */
function checkScanner({ bytes, listKey }: Body): void {
  const whole = parsed(Buffer.from(bytes).toString());
  const isObject = typeof whole === "object" && whole !== null && !Array.isArray(whole);
  const split = splitBody(bytes, listKey);
  if (split !== undefined) claimSplit(bytes, split, { whole, listKey });
  const stream = peekStream(bytes, listKey);
  const model = findModelField(bytes, listKey);
  const found = ["model", "stream"].map((name) => [name, findField(bytes, name)] as const);
  peekField(bytes, "model", listKey);
  if (!isObject) return;
  if (stream !== undefined) claim(stream === (own(whole, "stream") === true), "peekStream agrees with a parser");
  if (model !== undefined) claimSame(valueIn(bytes, model), own(whole, "model"), "findModelField agrees with a parser");
  for (const [name, span] of found) {
    if (span !== undefined)
      claimSame(valueIn(bytes, span), own(whole, name), `findField agrees with a parser on ${name}`);
  }
}

function claimSplit(
  bytes: Uint8Array,
  { fields, items }: NonNullable<ReturnType<typeof splitBody>>,
  { whole, listKey }: { whole: unknown; listKey: string },
): void {
  const values = [...fields].map(([name, span]) => [name, valueIn(bytes, span)] as const);
  const entries = items.map((span) => valueIn(bytes, span));
  if ([...values.map(([, value]) => value), ...entries].includes(undefined)) return;
  claimSame(Object.fromEntries(values), whole, "splitBody agrees with a parser");
  claimSame(entries, own(whole, listKey), "splitBody's entries agree with a parser");
}

function own(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null && Object.hasOwn(object, name)
    ? Reflect.get(object, name)
    : undefined;
}

function valueIn(bytes: Uint8Array, { from, to }: Span): unknown {
  return parsed(Buffer.from(bytes.subarray(from, to)).toString());
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

const TEXT_PIECES = [
  ...["word ", "x", "é", "汉字", "🚀", "\\n", '\\"', "\\\\", "\\t", "\\/", "\\u001b", "\\u001B", "\\u0008", "\\u00e9"],
  ...["\\ud83d", "\\ud83d\\ude80", "\u007f", "\u2028", " ", "<", "[\\n", "\\", "\\u12", "\n", '"', "\0"],
];
const TEXT_KEYS = ['"text"', '"content"', '"output"', '"t\\u0065xt"', '"input"', '"arguments"', '"other"'];

/** Objects with long texts. */
function openLongTexts() {
  return openTarget<Pick<Body, "bytes">>({
    make: (random) => {
      const fields = Array.from({ length: 1 + random.below(4) }, () => longField(random));
      const text = `{${smallObject(random, 1).slice(1, -1) || '"a":1'},"messages":[{${fields.join(",")}}]}`;
      return { bytes: random.chance(80) ? Buffer.from(text) : mutatedBytes(Buffer.from(text), random) };
    },
    check: ({ bytes }) => {
      const outline = outlineOf(bytes);
      if (outline === undefined) return;
      const whole = parsed(Buffer.from(bytes).toString());
      claim(whole !== undefined, "a body whose outline is valid JSON is valid JSON");
      const filled = outline.fill(Buffer.from(JSON.stringify(outline.value)));
      if (filled !== undefined)
        claimSame(filled.toString(), JSON.stringify(whole), "a filled outline is the whole body");
    },
  });
}

/** A field with a text of 4 to 24 KB, mostly of ordinary characters. */
function longField(random: Random): string {
  const piece = () => random.pick(random.chance(95) ? TEXT_PIECES.slice(0, 9) : TEXT_PIECES);
  const run = Array.from({ length: 1 + random.below(20) }, piece).join("");
  const ends = [piece(), piece(), piece()].join("");
  const size = 4_000 + random.below(20_000);
  return `${random.pick(TEXT_KEYS)}${random.pick(BLANKS)}:"${piece()}${run.repeat(Math.ceil(size / run.length))}${ends}"`;
}

const SSE_PIECES = [
  ...[
    "data:",
    "data: ",
    "data",
    "event:",
    "event: x",
    "id: 1",
    "retry: 5",
    ":",
    ": ping",
    "dat",
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
  ],
  ...["\r\n\r\n", "\ufeff", " ", "a", "{}", "[DONE]", "é", "😀", "\u0000", "\u2028", "data:\n", "event:\n", "x: y"],
];

interface CutBytes {
  readonly [key: string]: Uint8Array | number[];
  readonly bytes: Uint8Array;
  readonly cuts: number[];
}

/** Server-sent events are read according to the standard, with chunks of any size. */
function openSse() {
  return openTarget<CutBytes>({
    make: (random) => {
      const text = Array.from({ length: random.below(24) }, () => random.pick(SSE_PIECES)).join("");
      const bytes = random.chance(80) ? Buffer.from(text) : mutatedBytes(Buffer.from(text), random);
      return { bytes, cuts: anyCuts(bytes.length, random) };
    },
    check: ({ bytes, cuts }) => {
      const events = readEvents(cutBytes(bytes, cuts));
      claimSame(events, eventsByTheBook(bytes), "events are what the standard says");
    },
  });
}

/**
 * The standard's algorithm, line by line, without `id`, `retry` and fields without a colon. Every line, not only the first, may begin with
 * a byte order mark.
 */
function eventsByTheBook(bytes: Uint8Array): WireEvent[] {
  const lines = Buffer.from(bytes)
    .toString()
    .split(/\r\n|\r|\n/)
    .slice(0, -1)
    .map((line) => line.replace(/^\ufeff/, ""));
  const events: WireEvent[] = [];
  let event = "";
  let data: string[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^(data|event): ?(.*)$/s.exec(line) ?? [];
    if (name === "data") data.push(value);
    if (name === "event") event = value;
    if (line !== "") continue;
    if (data.length > 0) events.push(event === "" ? { data: data.join("\n") } : { event, data: data.join("\n") });
    [event, data] = ["", []];
  }
  return events;
}

const FRAME_EVENTS: readonly JsonValue[] = [
  { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "höher 😀" } },
  { type: "message_stop" },
];

interface Frames {
  readonly [key: string]: readonly Frame[] | readonly number[];
  readonly frames: readonly Frame[];
  /** Positions and values of bytes to change after the checksums are computed. */
  readonly flips: readonly number[];
  readonly cuts: readonly number[];
}

interface Frame {
  readonly [key: string]: Uint8Array | string | number;
  readonly headers: Uint8Array;
  readonly payload: string;
  /** Error in the declared length of the headers. */
  readonly surplus: number;
}

/** AWS frames give the same result with chunks of any size, or an upstream error. */
function openFrames() {
  const corpus = makeCorpus(FRAME_EVENTS);
  return openTarget<Frames>({
    make: (random) => {
      const frames = Array.from({ length: 1 + random.below(3) }, () => anyFrame(mutatedValue(random, corpus), random));
      const flips = random.chance(70)
        ? []
        : [random.below(600), random.below(256), random.below(30), random.below(256)];
      return { frames, flips, cuts: anyCuts(600, random) };
    },
    check: async ({ frames, flips, cuts }) => {
      const bytes = Buffer.concat(frames.map(writeFrame));
      for (let at = 0; at + 1 < flips.length; at += 2) bytes[(flips[at] ?? 0) % bytes.length] = flips[at + 1] ?? 0;
      const [whole, cut] = [await framesIn([bytes]), await framesIn(cutBytes(bytes, cuts))];
      claimSame(cut, whole, "cuts change nothing");
    },
  });
}

async function framesIn(chunks: readonly Uint8Array[]): Promise<{ text: string; error?: unknown }> {
  let text = "";
  try {
    for await (const chunk of eventFrames(oneByOne(chunks))) text += Buffer.from(chunk).toString();
    return { text };
  } catch (error) {
    allowing(/^upstream\./, () => {
      throw error;
    });
    return { text, error };
  }
}

async function* oneByOne(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Generates a frame with any payload and headers of any name, type and length. */
function anyFrame(event: JsonValue, random: Random): Frame {
  const inner = random.chance(80) ? JSON.stringify(event) : mutatedText(JSON.stringify(event), random);
  const outer = JSON.stringify(random.chance(90) ? { bytes: Buffer.from(inner).toString("base64") } : event);
  const headers = Buffer.concat([
    header(":event-type", random.pick(["chunk", "chunk", "chunk", "metrics", ""])),
    header(":message-type", random.pick(["event", "event", "exception", "error"])),
    header(":exception-type", random.pick(["throttlingException", "validationException", "__proto__", ""])),
  ]);
  return {
    headers: random.chance(75) ? headers : mutatedBytes(headers, random),
    payload: random.chance(80) ? outer : mutatedText(outer, random),
    surplus: random.chance(90) ? 0 : random.below(600) - 100,
  };
}

/** Writes a frame with correct checksums. */
function writeFrame({ headers, payload, surplus }: Frame): Buffer {
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + headers.length + Buffer.byteLength(payload) + 4, 0);
  prelude.writeUInt32BE(Math.max(0, headers.length + surplus), 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const checked = Buffer.concat([prelude, headers, Buffer.from(payload)]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(checked), 0);
  return Buffer.concat([checked, checksum]);
}

function header(name: string, value: string): Buffer {
  const lengths = Buffer.alloc(3);
  lengths.writeUInt8(7, 0);
  lengths.writeUInt16BE(Buffer.byteLength(value), 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), lengths, Buffer.from(value)]);
}

/** Observing a response never throws, and its counts are numbers. */
function openUsageWatch() {
  const usage = {
    input_tokens: 5,
    output_tokens: 7,
    prompt_tokens: 5,
    promptTokenCount: 5,
    totalTokenCount: 9,
    prompt_tokens_details: { cached_tokens: 1 },
  };
  const corpus = makeCorpus([
    ...FRAME_EVENTS,
    { usage, usageMetadata: usage },
    { response: { usage }, type: "response.completed" },
    { message: { usage } },
  ]);
  return openTarget<CutBytes & { readonly codec: number[] }>({
    make: (random) => {
      const values = Array.from({ length: 1 + random.below(3) }, () =>
        encodedJson(mutatedValue(random, corpus), random),
      );
      const text = random.chance(70) ? values.map((value) => `data: ${value}\n\n`).join("") : (values[0] ?? "");
      const bytes = Buffer.from(random.chance(30) ? mutatedText(text, random) : text);
      return { bytes, cuts: anyCuts(bytes.length, random), codec: [random.below(CODECS.length)] };
    },
    check: ({ bytes, cuts, codec }) => {
      const format = CODECS[codec[0] ?? 0]!;
      const watch = watchStream(format);
      for (const chunk of cutBytes(bytes, cuts)) watch.see(chunk);
      for (const found of [watch.usage(), wholeUsage(bytes, format)]) if (found !== undefined) claimUsage(found);
    },
  });
}
