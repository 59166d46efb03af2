import { expect, it } from "vitest";
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
  widthOf,
} from "./character-class.ts";

it.each([
  [LOWER, "azßéж"],
  [UPPER, "AZÅЖǅ"],
  [CASELESS, "ʰªא中あ한"],
  [MARK, "\u0301\u20dd\u0903"],
  [NUMBER, "09½²Ⅷ٣"],
  [SPACE, " \t\v\f\u00a0\u0085\u2028\u3000"],
  [NEWLINE, "\r\n"],
  [OTHER, "!_'/\0\u001b\ufeff\u200b€😀"],
])("puts class %i together", (kind, characters) => {
  expect(Array.from(characters, (character) => classOf(symbolFor(character.codePointAt(0) ?? 0)))).toEqual(
    Array.from(characters, () => kind),
  );
});

it("knows how many bytes a character takes in UTF-8", () => {
  const characters = ["a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"];
  expect(characters.map((character) => widthOf(symbolFor(character.codePointAt(0) ?? 0)))).toEqual(
    characters.map((character) => Buffer.byteLength(character)),
  );
});
