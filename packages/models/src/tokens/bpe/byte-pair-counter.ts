import { Merge } from "./merge.ts";
import type { PieceEnd } from "./pieces.ts";
import { Utf8Text } from "./utf8-text.ts";
import { hashBytes, NO_RANK, type Vocabulary } from "./vocabulary.ts";

/**
 * Longer pieces are counted in parts of this size. Normal text has no such pieces. Splitting can change the count: megabytes of the
 * alphabet without a space count 1.9% too high, of Chinese 0.5%, of one letter or base64 exactly.
 */
const MAX_PIECE_BYTES = 1 << 12;

/**
 * Creates a counter for one encoding, exact up to pieces of `MAX_PIECE_BYTES`. Time is linear in the text, and additional memory is
 * constant. Texts that look like special tokens count as plain text.
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

/** Returns the number of tokens of a text in some encoding. */
export type TextCounter = (text: string) => number;

const CHARACTERS_PER_TOKEN = 4;

/** Estimates tokens without a vocabulary. The result is too low by a quarter for JSON, and by more than half for CJK and base64. */
export function countByCharacters(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Longer pieces rarely repeat. */
const MAX_CACHED_BYTES = 32;
const SLOTS = 1 << 16;

/** Caches the counts of short pieces in constant memory: a newer piece replaces an older one in its slot. */
export class PieceCache {
  readonly #merge: Merge;
  readonly #bytes = new Uint8Array(SLOTS * MAX_CACHED_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #counts = new Uint8Array(SLOTS);

  /** `merge` counts pieces that are not cached. */
  constructor(merge: Merge) {
    this.#merge = merge;
  }

  count(bytes: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length > MAX_CACHED_BYTES) return this.#merge.count(bytes, from, to);
    const hash = hashBytes(bytes, from, to);
    const slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    if (this.#lengths[slot] === length && this.#holds(slot, bytes, from)) return this.#counts[slot] ?? 0;
    const tokens = this.#merge.count(bytes, from, to);
    this.#lengths[slot] = length;
    this.#counts[slot] = tokens;
    this.#keep(slot, bytes, from);
    return tokens;
  }

  #holds(slot: number, bytes: Uint8Array, from: number): boolean {
    const start = slot * MAX_CACHED_BYTES;
    const length = this.#lengths[slot] ?? 0;
    for (let at = 0; at < length; at++) {
      if (this.#bytes[start + at] !== bytes[from + at]) return false;
    }
    return true;
  }

  #keep(slot: number, bytes: Uint8Array, from: number): void {
    const start = slot * MAX_CACHED_BYTES;
    const length = this.#lengths[slot] ?? 0;
    for (let at = 0; at < length; at++) this.#bytes[start + at] = bytes[from + at] ?? 0;
  }
}
