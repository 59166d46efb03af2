import fc from "fast-check";
import { expect, it } from "vitest";
import { appendBase64, decodeBase64 } from "./base64.ts";

it("decodes what Buffer encodes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(decodeBase64(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
    }),
  );
});

it("stops at the given number of bytes", () => {
  expect(Buffer.from(decodeBase64("aGVsbG8gd29ybGQ=", 5)).toString()).toBe("hello");
});

it("skips line breaks, padding and other characters", () => {
  expect(Buffer.from(decodeBase64("aGVs\r\nbG8=…")).toString()).toBe("hello");
});

it("appends to a sink until it is full", () => {
  const sink = { bytes: new Uint8Array(4), end: 0 };
  appendBase64("aGU=", sink);
  appendBase64("bGxv", sink);
  expect(Buffer.from(sink.bytes).toString()).toBe("hell");
  expect(sink.end).toBe(4);
});
