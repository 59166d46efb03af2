import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { eventFrames } from "./event-frames.ts";

function makeFrame(
  headers: Record<string, string>,
  payload: string,
  more = Buffer.alloc(0),
  headBytes?: number,
): Buffer {
  const head = Buffer.concat(
    Object.entries(headers)
      .map(([name, value]) => {
        const lengths = Buffer.alloc(3);
        lengths.writeUInt8(7, 0);
        lengths.writeUInt16BE(Buffer.byteLength(value), 1);
        return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), lengths, Buffer.from(value)]);
      })
      .concat(more),
  );
  const length = 12 + head.length + Buffer.byteLength(payload) + 4;
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(length, 0);
  prelude.writeUInt32BE(headBytes ?? head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const rest = Buffer.concat([prelude, head, Buffer.from(payload)]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(rest), 0);
  return Buffer.concat([rest, checksum]);
}

function makeChunk(event: unknown): Buffer {
  const payload = JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString("base64") });
  return makeFrame({ ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event" }, payload);
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of eventFrames(chunks)) text += Buffer.from(chunk).toString();
  return text;
}

const events = [{ type: "message_start" }, { type: "content_block_delta", delta: { text: "höher 😀" } }];
const frames = Buffer.concat(events.map(makeChunk));

describe("eventFrames", () => {
  it("returns the events of the frames, wherever the bytes are cut", async () => {
    const expected = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: frames.length }), async (size) => {
        expect(await textOf(inPieces(frames, size))).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    [0, "damaged prelude"],
    [frames.length - 20, "wrong checksum"],
  ])("refuses frames with a wrong byte at %d", async (at, why) => {
    const damaged = Buffer.from(frames);
    damaged[at]! ^= 0x40;
    await expect(textOf(inPieces(damaged, 64))).rejects.toThrow(why);
  });

  it.each([
    ["a payload that is not JSON", makeFrame({ ":event-type": "chunk" }, "oops")],
    ["an event that is not JSON", makeFrame({ ":event-type": "chunk" }, '{"bytes":"b29wcw=="}')],
  ])("throws upstream.broken for %s", async (_, frame) => {
    frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
    await expect(textOf(inPieces(frame, 64))).rejects.toMatchObject({ code: "upstream.broken" });
  });

  it("throws upstream.broken for a stream that ends inside a frame", async () => {
    await expect(textOf(inPieces(frames.subarray(0, -3), 64))).rejects.toThrow("in the middle of a frame");
  });

  it.each([
    ["throttlingException", "upstream.busy"],
    ["validationException", "upstream.refused"],
    ["internalServerException", "upstream.broken"],
  ])("throws the error of an exception frame: %s", async (type, code) => {
    const frame = makeFrame({ ":message-type": "exception", ":exception-type": type }, '{"message":"Too many tokens"}');
    await expect(textOf(inPieces(frame, 64))).rejects.toMatchObject({ code, message: `${type}: Too many tokens` });
  });

  const chunkHeaders = { ":event-type": "chunk", ":message-type": "event" };
  const inBase64 = (text: string) => JSON.stringify({ bytes: Buffer.from(text).toString("base64") });

  it.each([
    ["a payload that is not valid JSON", makeFrame(chunkHeaders, "{")],
    ["an event that is not valid JSON", makeFrame(chunkHeaders, inBase64('{"type":'))],
    ["a header that is longer than the headers", makeFrame({}, "", Buffer.from([1, 0x61, 7, 0xff, 0xff, 0x62]))],
    ["a header without a length", makeFrame({}, "", Buffer.from([1, 0x61, 7]))],
    ["headers that are longer than the frame", makeFrame({}, "", Buffer.alloc(0), 400)],
  ])("throws upstream.broken for %s", async (_, frame) => {
    await expect(textOf(inPieces(frame, 64))).rejects.toMatchObject({ code: "upstream.broken" });
  });

  it("writes an event whose JSON contains line breaks as one event", async () => {
    const frame = makeFrame(chunkHeaders, inBase64('{\r\n "type":"a\\nb",\n\n "x":1 }'));
    expect(await textOf(inPieces(frame, 64))).toBe('event: a b\ndata: {   "type":"a\\nb",   "x":1 }\n\n');
  });

  it("joins the pieces of a large frame once", async () => {
    const frame = makeFrame(chunkHeaders, inBase64(JSON.stringify({ type: "t", text: "x".repeat(4_000_000) })));
    const concat = vi.spyOn(Buffer, "concat");
    expect((await textOf(inPieces(frame, 1_000))).length).toBeGreaterThan(4_000_000);
    expect(concat.mock.calls.length).toBeLessThan(5);
    concat.mockRestore();
  });

  it("skips unknown frames", async () => {
    expect(await textOf(inPieces(makeFrame({ ":event-type": "metrics" }, "{}"), 64))).toBe("");
  });
});
