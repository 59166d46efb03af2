import type { TextCounter } from "../text-counter.ts";
import { Merge } from "./merge.ts";
import { PieceCache } from "./piece-cache.ts";
import type { PieceEnd } from "./pieces.ts";
import { Utf8Text } from "./utf8-text.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/**
 * An exact counter for one encoding: time grows with the text and not with its kind, memory beyond the text's own is fixed. Texts that
 * look like special tokens count as the plain text that they are.
 */
export function makeBytePairCounter(vocabulary: Vocabulary, pieceEnd: PieceEnd): TextCounter {
  const text = new Utf8Text();
  const cache = new PieceCache(new Merge(vocabulary));

  function countPiece(bytes: Uint8Array, from: number, to: number): number {
    if (to - from === 1 || vocabulary.rank(bytes, from, to) !== NO_RANK) return 1;
    return cache.count(bytes, from, to);
  }

  return function countTokens(string) {
    text.load(string);
    let tokens = 0;
    for (let from = 0; from < text.end; ) {
      const to = pieceEnd(text, from);
      tokens += countPiece(text.bytes, from, to);
      from = to;
    }
    text.unload();
    return tokens;
  };
}
