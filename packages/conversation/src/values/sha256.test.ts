import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "./sha256.ts";
import { utf8Writer, writeUtf8 } from "./utf8.ts";

const native = (text: string) => createHash("sha256").update(text).digest("hex");

it.each(["", "abc", "a".repeat(55), "a".repeat(56), "a".repeat(64), "é€😀\ud800", "long ".repeat(50_000)])(
  "returns the same hash as the host",
  (text) => {
    expect(sha256(text)).toBe(native(text));
  },
);

it("returns the same hash as the host for any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => sha256(text) === native(text)));
});

it("writes any text like the host's encoder", () => {
  const write = utf8Writer();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", "\ud800", "\udc00"), (text, surrogate) => {
      const [mine, theirs] = [new Uint8Array(1_000), new Uint8Array(1_000)];
      expect(writeUtf8(text + surrogate, mine)).toBe(write(text + surrogate, theirs));
      expect(mine).toEqual(theirs);
    }),
  );
});
