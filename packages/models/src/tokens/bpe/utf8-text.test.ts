import fc from "fast-check";
import { expect, it } from "vitest";
import { anyUnicode } from "../../testing/any-unicode.ts";
import {
  CASELESS,
  classOf,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  SPACE,
  symbolFor,
  UPPER,
  Utf8Text,
  widthOf,
} from "./utf8-text.ts";

it("encodes a text as UTF-8, with lone surrogates as U+FFFD", () => {
  const text = new Utf8Text();
  fc.assert(
    fc.property(anyUnicode(), (string) => {
      text.load(string);
      expect(Buffer.from(text.bytes.subarray(0, text.end))).toEqual(Buffer.from(string));
    }),
  );
});

it("returns the symbol of each character, also repeatedly", () => {
  const text = new Utf8Text();
  const string = "aÉ中😀\n aÉ中😀";
  text.load(string);
  const symbols: number[] = [];
  for (let at = 0; at < text.end; at += widthOf(text.symbolAt(at))) symbols.push(text.symbolAt(at));
  expect(symbols).toEqual(Array.from(string, (character) => symbolFor(character.codePointAt(0) ?? 0)));
});

it("reuses its buffer and allocates another one only for a long text", () => {
  const text = new Utf8Text();
  const kept = text.bytes;
  text.load("short");
  expect(text.bytes).toBe(kept);
  text.load("x".repeat(1_000_000));
  expect([text.bytes === kept, text.end]).toEqual([false, 1_000_000]);
  text.unload();
  expect([text.bytes === kept, text.end]).toEqual([true, 0]);
});

it.each([
  [LOWER, "azßéж"],
  [UPPER, "AZÅЖǅ"],
  [CASELESS, "ʰªא中あ한"],
  [MARK, "\u0301\u20dd\u0903"],
  [NUMBER, "09½²Ⅷ٣"],
  [SPACE, " \t\v\f\u00a0\u0085\u2028\u3000"],
  [NEWLINE, "\r\n"],
  [OTHER, "!_'/\0\u001b\ufeff\u200b€😀"],
])("combines class %i with the width", (kind, characters) => {
  expect(Array.from(characters, (character) => classOf(symbolFor(character.codePointAt(0) ?? 0)))).toEqual(
    Array.from(characters, () => kind),
  );
});

it("returns the width of a character in UTF-8", () => {
  const characters = ["a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"];
  expect(characters.map((character) => widthOf(symbolFor(character.codePointAt(0) ?? 0)))).toEqual(
    characters.map((character) => Buffer.byteLength(character)),
  );
});
