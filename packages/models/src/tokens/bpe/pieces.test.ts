import cl100k from "tiktoken/encoders/cl100k_base.json" with { type: "json" };
import o200k from "tiktoken/encoders/o200k_base.json" with { type: "json" };
import { expect, it } from "vitest";
import { describePieces, piecesOf } from "../../testing/describe-pieces.ts";
import {
  cl100kPieceEnd,
  contractionEnd,
  numberEnd,
  o200kPieceEnd,
  type PieceEnd,
  punctuationEnd,
  whiteSpaceEnd,
} from "./pieces.ts";
import { Utf8Text } from "./utf8-text.ts";

function taken(string: string, end: PieceEnd): string {
  const text = new Utf8Text();
  text.load(string);
  return Buffer.from(text.bytes.subarray(0, end(text, 0))).toString();
}

it.each([
  ["1234", "123"],
  ["1a", "1"],
  ["٣٤", "٣٤"],
])("matches up to three digits of %j", (text, piece) => {
  expect(taken(text, numberEnd)).toBe(piece);
});

it.each([
  ["!?a", "!?"],
  [" -> b", " ->"],
  [" b", ""],
  ["😀\u0301.", "😀\u0301."],
])("matches punctuation with one leading space in %j", (text, piece) => {
  expect(taken(text, punctuationEnd)).toBe(piece);
});

it.each([
  ["  a", " "],
  [" a", " "],
  ["   ", "   "],
  [" \n \n  a", " \n \n"],
  ["\r\n", "\r\n"],
  ["\u3000\u3000a", "\u3000"],
])("matches white space up to the last line break, or leaves one for the word, in %j", (text, piece) => {
  expect(taken(text, whiteSpaceEnd)).toBe(piece);
});

it.each([
  ["'s", "'s"],
  ["'LLa", "'LL"],
  ["'rE", "'rE"],
  ["'ſ", "'ſ"],
  ["'l", ""],
  ["'", ""],
  ["'x", ""],
  ["s", ""],
])("matches a contraction in %j", (text, piece) => {
  expect(taken(text, contractionEnd)).toBe(piece);
});

describePieces("cl100k", cl100kPieceEnd, cl100k.pat_str);

it("keeps uppercase letters within words and splits contractions", () => {
  expect(piecesOf("camelCaseHTML we'll 12345 //\n x", cl100kPieceEnd)).toEqual([
    "camelCaseHTML",
    " we",
    "'ll",
    " ",
    "123",
    "45",
    " //\n",
    " x",
  ]);
});

describePieces("o200k", o200kPieceEnd, o200k.pat_str);

it("splits words at uppercase letters and keeps contractions", () => {
  expect(piecesOf("camelCaseHTML we'll 12345 //\n x", o200kPieceEnd)).toEqual([
    "camel",
    "Case",
    "HTML",
    " we'll",
    " ",
    "123",
    "45",
    " //\n",
    " x",
  ]);
});
