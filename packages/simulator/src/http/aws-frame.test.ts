import { crc32 } from "node:zlib";
import { expect, it } from "vitest";
import { readFrames } from "../testing/read-frames.ts";
import { encodeFrame } from "./aws-frame.ts";

it("frames events as chunks that a reader can unwrap", () => {
  const frames = Buffer.concat([encodeFrame({ event: "ping", data: '{"a":1}' }), encodeFrame({ data: "é" })]);
  const headers = { ":message-type": "event", ":event-type": "chunk", ":content-type": "application/json" };
  const wrap = (text: string) => JSON.stringify({ bytes: Buffer.from(text).toString("base64") });
  expect(readFrames(frames)).toEqual([
    { headers, payload: wrap('{"a":1}') },
    { headers, payload: wrap("é") },
  ]);
});

it("frames exceptions as such", () => {
  const [frame] = readFrames(Buffer.from(encodeFrame({ event: "throttlingException", data: "{}" })));
  expect(frame?.headers).toMatchObject({ ":message-type": "exception", ":exception-type": "throttlingException" });
});

it("has the checksums of the specification", () => {
  const frame = Buffer.from(encodeFrame({ data: "{}" }));
  expect(frame.readUInt32BE(0)).toBe(frame.length);
  expect(frame.readUInt32BE(8)).toBe(crc32(frame.subarray(0, 8)));
  expect(frame.readUInt32BE(frame.length - 4)).toBe(crc32(frame.subarray(0, -4)));
});
