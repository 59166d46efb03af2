import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readFrames } from "../testing/aws.ts";
import { encodeFrame, encodeReply, writeSse } from "./encode-reply.ts";

const textOf = (chunks: readonly Uint8Array[]) => chunks.map((chunk) => Buffer.from(chunk).toString());

it("writes a plain reply with its length in bytes", () => {
  const encoded = encodeReply({ kind: "json", status: 404, headers: { "request-id": "r" }, body: { a: "é" } });
  expect(encoded.headers).toEqual({ "content-type": "application/json", "request-id": "r", "content-length": "10" });
  expect([encoded.status, textOf(encoded.chunks)]).toEqual([404, ['{"a":"é"}']]);
});

it("writes events and comments, one chunk each", () => {
  const events = [{ event: "ping", data: "{}" }, { comment: "wait" }, { data: "[DONE]" }];
  const encoded = encodeReply({ kind: "stream", headers: {}, framing: "sse", events });
  expect(textOf(encoded.chunks)).toEqual(["event: ping\ndata: {}\n\n", ": wait\n\n", "data: [DONE]\n\n"]);
  expect(encoded.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(writeSse({ data: "a\nb" })).toBe("data: a\ndata: b\n\n");
});

it("writes an array whose elements arrive one by one", () => {
  const events = [{ data: "1" }, { data: "2" }];
  const encoded = encodeReply({ kind: "stream", headers: {}, framing: "list", events });
  expect(JSON.parse(textOf(encoded.chunks).join(""))).toEqual([1, 2]);
});

it("drops comments where the framing has none", () => {
  const events = [{ comment: "wait" }, { data: "1" }, { comment: "wait" }];
  const encoded = (framing: "list" | "aws") => encodeReply({ kind: "stream", headers: {}, framing, events }).chunks;
  expect(textOf(encoded("list"))).toEqual(["[1]"]);
  expect(encoded("aws")).toHaveLength(1);
});

it("writes AWS frames", () => {
  const events = [{ event: "chunk", data: "{}" }];
  const encoded = encodeReply({ kind: "stream", headers: {}, framing: "aws", events });
  expect(encoded.headers["content-type"]).toBe("application/vnd.amazon.eventstream");
  expect(encoded.chunks[0]?.length).toBeGreaterThan(16);
});

describe("awsFrame", () => {
  it("frames events as chunks that a reader can unwrap", () => {
    const frames = Buffer.concat([encodeFrame({ event: "ping", data: '{"a":1}' }), encodeFrame({ data: "é" })]);
    const headers = { ":message-type": "event", ":event-type": "chunk", ":content-type": "application/json" };
    const wrap = (text: string) => JSON.stringify({ bytes: Buffer.from(text).toString("base64") });
    expect(readFrames(frames)).toEqual([
      { headers, payload: wrap('{"a":1}') },
      { headers, payload: wrap("é") },
    ]);
  });

  it("frames exceptions", () => {
    const [frame] = readFrames(Buffer.from(encodeFrame({ event: "throttlingException", data: "{}" })));
    expect(frame?.headers).toMatchObject({ ":message-type": "exception", ":exception-type": "throttlingException" });
  });

  it("has the checksums of the specification", () => {
    const frame = Buffer.from(encodeFrame({ data: "{}" }));
    expect(frame.readUInt32BE(0)).toBe(frame.length);
    expect(frame.readUInt32BE(8)).toBe(crc32(frame.subarray(0, 8)));
    expect(frame.readUInt32BE(frame.length - 4)).toBe(crc32(frame.subarray(0, -4)));
  });
});
