import type { Merge } from "./merge.ts";
import { hashBytes } from "./vocabulary.ts";

/** Longer pieces seldom come twice. */
const MAX_CACHED_BYTES = 32;
const SLOTS = 1 << 16;

/** Remembers the counts of short pieces, in fixed memory: a newer piece takes the place of an older one. */
export class PieceCache {
  readonly #merge: Merge;
  readonly #bytes = new Uint8Array(SLOTS * MAX_CACHED_BYTES);
  readonly #lengths = new Uint8Array(SLOTS);
  readonly #counts = new Uint8Array(SLOTS);

  /** `merge` counts what is not remembered. */
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
