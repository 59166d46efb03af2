import type { TextCounter } from "../text-counter.ts";
import { Merge } from "./merge.ts";
import { PieceCache } from "./piece-cache.ts";
import type { PieceEnd } from "./pieces.ts";
import { Utf8Text } from "./utf8-text.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/**
 * Longer pieces are counted in parts of this size. Text that people or programs write has no such piece. A cut can change a few tokens:
 * megabytes of the alphabet without a space count 1.9 % too high, of Chinese 0.5 %, of one letter or base64 exactly.
 */
const MAX_PIECE_BYTES = 1 << 12;

/**
 * A counter for one encoding, exact up to pieces of `MAX_PIECE_BYTES`: time grows with the text and not with its kind, memory beyond the
 * text's own is fixed. Texts that look like special tokens count as the plain text that they are.
 */
export function makeBytePairCounter(vocabulary: Vocabulary, pieceEnd: PieceEnd): TextCounter {
  const text = new Utf8Text();
  const cache = new PieceCache(new Merge(vocabulary));

  function countPiece(bytes: Uint8Array, from: number, to: number): number {
    if (to - from === 1 || vocabulary.rank(bytes, from, to) !== NO_RANK) return 1;
    return to - from > MAX_PIECE_BYTES ? countParts(bytes, from, to) : cache.count(bytes, from, to);
  }

  function countParts(bytes: Uint8Array, from: number, to: number): number {
    let tokens = 0;
    for (let at = from; at < to; at += MAX_PIECE_BYTES) {
      tokens += cache.count(bytes, at, Math.min(at + MAX_PIECE_BYTES, to));
    }
    return tokens;
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
