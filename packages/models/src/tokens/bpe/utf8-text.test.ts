import fc from "fast-check";
import { expect, it } from "vitest";
import { anyUnicode } from "../../testing/any-unicode.ts";
import { symbolFor, widthOf } from "./character-class.ts";
import { Utf8Text } from "./utf8-text.ts";

it("holds a text as UTF-8, lone surrogates as U+FFFD", () => {
  const text = new Utf8Text();
  fc.assert(
    fc.property(anyUnicode(), (string) => {
      text.load(string);
      expect(Buffer.from(text.bytes.subarray(0, text.end))).toEqual(Buffer.from(string));
    }),
  );
});

it("gives the symbol of each character, the second time too", () => {
  const text = new Utf8Text();
  const string = "aÉ中😀\n aÉ中😀";
  text.load(string);
  const symbols: number[] = [];
  for (let at = 0; at < text.end; at += widthOf(text.symbolAt(at))) symbols.push(text.symbolAt(at));
  expect(symbols).toEqual(Array.from(string, (character) => symbolFor(character.codePointAt(0) ?? 0)));
});

it("keeps its bytes from text to text and borrows more for a long one only", () => {
  const text = new Utf8Text();
  const kept = text.bytes;
  text.load("short");
  expect(text.bytes).toBe(kept);
  text.load("x".repeat(1_000_000));
  expect([text.bytes === kept, text.end]).toEqual([false, 1_000_000]);
  text.unload();
  expect([text.bytes === kept, text.end]).toEqual([true, 0]);
});
