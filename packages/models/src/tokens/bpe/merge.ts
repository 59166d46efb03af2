import { RankTree } from "./rank-tree.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** Longer pieces borrow their memory for as long as they are being counted. */
const KEPT_PARTS = 4096;
const NO_BYTES: Uint8Array = new Uint8Array();

/**
 * Byte pair merging as the encodings define it: a piece starts as single bytes, and the neighbours whose joined bytes have the lowest
 * rank are merged until no neighbours form a token. It takes n·log n steps, and 16 to 24 bytes of memory for each byte of the piece.
 */
export class Merge {
  readonly #vocabulary: Vocabulary;
  /** At a part's position: the rank of that part joined with the next. */
  readonly #ranks = new RankTree();
  #bytes = NO_BYTES;
  #from = 0;
  #size = 0;
  readonly #keptNext = new Int32Array(KEPT_PARTS + 1);
  readonly #keptPrevious = new Int32Array(KEPT_PARTS + 1);
  /** A part is known by the position of its first byte in the piece; these are the positions of its neighbours. */
  #next = this.#keptNext;
  #previous = this.#keptPrevious;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** How many tokens `bytes` make from `from` up to `to`. */
  count(bytes: Uint8Array, from: number, to: number): number {
    this.#bytes = bytes;
    this.#from = from;
    this.#size = to - from;
    this.#split();
    let parts = this.#size;
    for (let part = this.#ranks.lowest(); part >= 0; part = this.#ranks.lowest()) {
      this.#mergeWithNext(part);
      parts--;
    }
    this.#release();
    return parts;
  }

  #split(): void {
    if (this.#size > KEPT_PARTS) {
      this.#next = new Int32Array(this.#size + 1);
      this.#previous = new Int32Array(this.#size + 1);
    }
    this.#ranks.reset(this.#size);
    const last = this.#size - 1;
    for (let part = 0; part <= last; part++) {
      this.#next[part] = part + 1;
      this.#previous[part] = part - 1;
      this.#ranks.put(part, part < last ? this.#vocabulary.pairRank(this.#bytes, this.#from + part) : NO_RANK);
    }
    this.#ranks.build();
  }

  #mergeWithNext(part: number): void {
    const swallowed = this.#next[part] ?? 0;
    const end = this.#next[swallowed] ?? 0;
    this.#ranks.set(swallowed, NO_RANK);
    this.#next[part] = end;
    this.#previous[end] = part;
    this.#ranks.set(part, end < this.#size ? this.#rank(part, this.#next[end] ?? 0) : NO_RANK);
    if (part === 0) return;
    const before = this.#previous[part] ?? 0;
    this.#ranks.set(before, this.#rank(before, end));
  }

  #rank(part: number, end: number): number {
    return this.#vocabulary.rank(this.#bytes, this.#from + part, this.#from + end);
  }

  #release(): void {
    this.#ranks.release();
    this.#next = this.#keptNext;
    this.#previous = this.#keptPrevious;
    this.#bytes = NO_BYTES;
  }
}
