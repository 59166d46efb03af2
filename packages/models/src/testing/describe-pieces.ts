import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PieceEnd } from "../tokens/bpe/pieces.ts";
import { Utf8Text } from "../tokens/bpe/utf8-text.ts";
import { Vocabulary } from "../tokens/bpe/vocabulary.ts";
import { anyUnicode, SAMPLE_TEXTS } from "./any-unicode.ts";

/** The suite for all splitting rules: they match the regular expression that defines their encoding. */
export function describePieces(name: string, pieceEnd: PieceEnd, definition: string): void {
  // JavaScript's \s differs from Unicode's white space: it includes U+FEFF and lacks U+0085.
  const unicode = definition.replaceAll("\\s", "\\p{White_Space}").replaceAll("\\S", "\\P{White_Space}");
  const pattern = new RegExp(unicode, "gu");

  function expectSameSplit(text: string): void {
    expect(piecesOf(text, pieceEnd)).toEqual(text.toWellFormed().match(pattern) ?? []);
  }

  describe(name, () => {
    it.each(Object.entries(SAMPLE_TEXTS))("splits %s like its definition", (_kind, text) => {
      expectSameSplit(text);
    });

    it("splits any text like its definition", () => {
      fc.assert(fc.property(anyUnicode(), expectSameSplit), { numRuns: 1_000 });
    });
  });
}

const text = new Utf8Text();

/** Splits a text into all its pieces. */
export function piecesOf(string: string, pieceEnd: PieceEnd): string[] {
  text.load(string);
  const pieces: string[] = [];
  for (let from = 0; from < text.end; ) {
    const to = pieceEnd(text, from);
    pieces.push(Buffer.from(text.bytes.subarray(from, to)).toString());
    from = to;
  }
  return pieces;
}

/** Returns a vocabulary of these tokens, in the order of their ranks. */
export function makeVocabulary(tokens: readonly string[]): Vocabulary {
  const starts = new Uint32Array(tokens.length + 1);
  for (const [rank, token] of tokens.entries()) starts[rank + 1] = (starts[rank] ?? 0) + Buffer.byteLength(token);
  return new Vocabulary(Buffer.from(tokens.join("")), starts);
}
