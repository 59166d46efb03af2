import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import { FORMATS, type Format } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineOf } from "./outline.ts";

const PAIRS = FORMATS.flatMap((client) =>
  FORMATS.filter((upstream) => upstream !== client).map((upstream) => ({
    client,
    upstream,
    name: `${client.codec.id} to ${upstream.codec.id}`,
  })),
);

const LONG_TEXTS = [
  "word ".repeat(5_000),
  'const a = "b\\n";\n\tif (a) return;\r\n'.repeat(600),
  "\u001b[31mred\u001b[0m \u0001\u000b\u007f".repeat(900),
  "汉字と仮名 🚀 é\u0301 \u2028".repeat(900),
  "cut in half \ud83d".repeat(900),
  `<system-reminder>note</system-reminder>${"words ".repeat(3_000)}<system-reminder>note</system-reminder>`,
  " \n".repeat(9_000),
  `${" ".repeat(9_000)}end`,
  `begin${" ".repeat(9_000)}`,
];

/** Ways in which clients write JSON. */
const WRITERS: readonly ((value: JsonValue) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, undefined, 2),
  (value) =>
    JSON.stringify(value).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
];

/** Puts long texts into about half of the texts in a value. */
function lengthen(value: JsonValue, next: () => number): JsonValue {
  if (isJsonArray(value)) return value.map((inner) => lengthen(inner, next));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, inner]) => {
    const isText = typeof inner === "string" && ["text", "content", "output", "system", "instructions"].includes(key);
    const long = LONG_TEXTS[next() % (2 * LONG_TEXTS.length)] ?? "";
    return [key, isText ? `${long}${inner}${long}` : lengthen(inner, next)];
  });
  return Object.fromEntries(fields);
}

/** Half of the bodies have only messages without files, because upstreams of other formats reject some fields and files. */
function anyLongBody({ anyBody, bodyOf, codec }: Format): fc.Arbitrary<Buffer> {
  const parts = fc.tuple(anyBody(), fc.nat(1_000), fc.constantFrom(...WRITERS), fc.boolean());
  return parts.map(([body, seed, write, isPlain]) => {
    const messages = body[codec.messagesField] ?? null;
    let number = seed;
    const plain = isPlain && isJsonArray(messages) ? bodyOf(messages.map(withoutFiles)) : body;
    return Buffer.from(write(lengthen(plain, () => number++)));
  });
}

function withoutFiles(value: JsonValue): JsonValue {
  if (isJsonArray(value))
    return value.filter((part) => !/^\{"(?:file|inline)_?data"/i.test(JSON.stringify(part))).map(withoutFiles);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutFiles(inner)]));
}

/** The bytes for an upstream and the warnings, or the error. */
function written(value: JsonObject, { client, upstream }: (typeof PAIRS)[number]) {
  try {
    const request = client.codec.decodeRequest(value, client.line);
    const { body, warnings } = upstream.codec.encodeRequest(request, upstream.destination);
    return { bytes: Buffer.from(JSON.stringify(body)), warnings };
  } catch (error) {
    return { error };
  }
}

describe.each(PAIRS)("outlineOf, from $name", (pair) => {
  it("leads to the same bytes, warnings and errors as the whole body", () => {
    let filled = 0;
    fc.assert(
      fc.property(anyLongBody(pair.client), (body) => {
        const outline = outlineOf(body);
        if (outline === undefined) return;
        const whole = written(JSON.parse(body.toString()), pair);
        const outlined = written(outline.value, pair);
        expect({ ...outlined, bytes: undefined }).toEqual({ ...whole, bytes: undefined });
        const bytes = outlined.bytes && outline.fill(outlined.bytes);
        if (bytes === undefined) return;
        filled++;
        expect(bytes.equals(whole.bytes ?? Buffer.alloc(0))).toBe(true);
      }),
      { numRuns: 100 },
    );
    expect(filled).toBeGreaterThan(0);
  });
});

describe("outlineOf", () => {
  const text = "a long text ".repeat(4_000);
  const bodyOf = (value: object) => Buffer.from(JSON.stringify(value));
  const body = bodyOf({ model: "m", messages: [{ role: "user", content: text }] });

  it("parses a body without its long texts", () => {
    const { value } = outlineOf(body) ?? {};
    expect(value).toMatchObject({ model: "m", messages: [{ role: "user" }] });
    expect(JSON.stringify(value).length).toBeLessThan(300);
  });

  it.each([
    ["a small one", bodyOf({ content: "a".repeat(9_000) })],
    ["one without long texts", bodyOf({ content: Array.from({ length: 9_000 }, () => "short") })],
    ["one that is not valid JSON", Buffer.concat([body, Buffer.from("}")])],
    ["one that is not an object", bodyOf([{ content: text }])],
    ["one with invalid UTF-8 in a text", Buffer.from(body.toString().replace("long text a", "\xff"), "latin1")],
    ["one with a raw line break in a text", Buffer.from(body.toString().replaceAll("long text a", "\n"))],
    ["one that nests too deeply", Buffer.from(`{"content":"${text}","a":${"[".repeat(999)}${"]".repeat(999)}}`)],
  ])("returns undefined for %s", (_, other) => {
    expect(outlineOf(other)).toBeUndefined();
  });

  it("leaves the arguments of tool calls as they are", () => {
    const input = { content: text };
    const texts = [text, text, text].map((content) => ({ content }));
    const { value } = outlineOf(bodyOf({ messages: [...texts, { content: [{ input }] }] })) ?? {};
    expect(value).toMatchObject({ messages: [{}, {}, {}, { content: [{ input }] }] });
  });

  it.each([
    ["a text is missing", () => ({})],
    ["a text is there twice", (value: JsonObject) => [value, value]],
    ["a text is inside another JSON text", (value: JsonObject) => ({ text: JSON.stringify(value) })],
    ["a text is encoded", (value: JsonObject) => btoa(JSON.stringify(value))],
  ])("does not fill a body if %s", (_, change) => {
    const outline = outlineOf(body);
    expect(outline?.fill(Buffer.from(JSON.stringify(change(outline.value))))).toBeUndefined();
  });
});
