import { CLEARED } from "@longhaul/condense/advanced";
import { makeText, makeToolResult } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isClearedResult,
  knowMessage,
  makeKnownMessages,
  makePacking,
  measurePiece,
  type Piece,
  sha256,
} from "./known-messages.ts";

const codec = codecOf("anthropic-messages");
const encode = (text: string) => new TextEncoder().encode(text);
const bodyOf = (...messages: string[]) => encode(`{"model":"m","messages":[${messages.join(",")}]}`);

describe("makeKnownMessages", () => {
  it("recognises a message, also in another spelling", async () => {
    const known = makeKnownMessages();
    const first = await known.lookUp(bodyOf('{"role":"user","content":"hi"}'), codec);
    const again = await known.lookUp(
      bodyOf('{"role":"user","content":"hi"}', '{"content":[{"text":"hi","type":"text"}],"role":"user"}'),
      codec,
    );
    expect(again?.messages[0]).toBe(first?.messages[0]);
    expect(again?.messages[1]).toEqual(first?.messages[0]);
  });

  it("gives the same result for a long history that grew, is known or is new", async () => {
    const messages = Array.from(
      { length: 12 },
      (_, index) => `{"role":"user","content":"${`${index}`.repeat(9_000)}"}`,
    );
    const known = makeKnownMessages();
    const grown = [
      messages.slice(0, 10),
      messages,
      messages,
      [...messages.slice(0, 9), '{"role":"user","content":"hi"}'],
    ];
    for (const list of grown) {
      const body = bodyOf(...list);
      const { front: _, ...found } = (await known.lookUp(body, codec)) ?? {};
      const { front: _new, ...expected } = (await makeKnownMessages().lookUp(body, codec)) ?? {};
      expect(found).toEqual(expected);
    }
  });

  it("has roles and tool calls", async () => {
    const call = '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]}';
    const looked = await makeKnownMessages().lookUp(bodyOf('{"role":"user","content":"hi"}', call), codec);
    expect(looked?.messages).toMatchObject([
      { role: "user", hasToolCalls: false },
      { role: "assistant", hasToolCalls: true },
    ]);
  });

  it("evicts the least recently used messages", async () => {
    const known = makeKnownMessages(2);
    const message = (text: string) => `{"role":"user","content":"${text}"}`;
    const a = (await known.lookUp(bodyOf(message("a")), codec))?.messages[0];
    await known.lookUp(bodyOf(message("b")), codec);
    expect((await known.lookUp(bodyOf(message("a")), codec))?.messages[0]).toBe(a);
    await known.lookUp(bodyOf(message("c"), message("d")), codec);
    expect((await known.lookUp(bodyOf(message("a")), codec))?.messages[0]).not.toBe(a);
  });

  it.each(["{}", '{"messages":[{"role":}]}', '{"messages":[1],"messages":[]}'])(
    "leaves %s to the parser",
    async (text) => {
      expect(await makeKnownMessages().lookUp(encode(text), codec)).toBeUndefined();
    },
  );
});

it.each([
  "[Old tool result content cleared]",
  "[cleared]",
  "[Output removed to save context - information superseded or no longer needed]",
  CLEARED,
  "",
])("recognises a result with only %j as cleared", (text) => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText(text)] })).toBe(true);
});

it("recognises an empty result as cleared", () => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [] })).toBe(true);
});

it.each([
  "cleared",
  "[cleared] and more",
  "Result:\n[Old tool result content cleared]",
  "<tool_output_masked>\nfirst lines\n</tool_output_masked>",
])("does not recognise %j as cleared", (text) => {
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText(text)] })).toBe(false);
  expect(isClearedResult({ ...makeToolResult("a"), content: [makeText("[cleared]"), makeText(text)] })).toBe(false);
});

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

function makePiece(kind: Piece["kind"], value: unknown): Piece {
  const bytes = new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  return { kind, bytes, wire: "anthropic-messages", line: {}, tokenizer: "o200k" };
}

it("measures a message", () => {
  const { message } = measurePiece(makePiece("message", { role: "user", content: "some words" }), counter);
  expect([message?.known.role, message?.sizes]).toEqual(["user", [{ text: 2, fixed: 0 }]]);
});

it("measures a head", () => {
  const { head } = measurePiece(makePiece("head", { model: "m", system: "some words", messages: [] }), counter);
  expect(head?.sizes).toEqual({ system: [{ text: 2, fixed: 0 }], tools: [] });
});

it("measures nothing for bytes that are not a message", () => {
  expect(measurePiece(makePiece("message", "{oops"), counter)).toEqual({});
});

describe.each(FORMATS.map((format) => [format.codec.id, format] as const))("packed messages of %s", (_, format) => {
  it("are the same after unpacking, in a fraction of the space", () => {
    const pack = makePacking();
    fc.assert(
      fc.property(format.anyBody(), (body) => {
        const { messages } = format.codec.decodeRequest(body, { model: "m", stream: false }).conversation;
        const known = messages.map(knowMessage);
        const packed = pack(known);
        expect(packed.unpack()).toEqual(known);
        expect(packed.byteLength).toBeLessThanOrEqual(JSON.stringify(known).length / 2);
      }),
      { numRuns: 60 },
    );
  });
});
