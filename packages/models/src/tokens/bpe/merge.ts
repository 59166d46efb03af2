import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** Longer pieces allocate their memory temporarily. */
const KEPT_PARTS = 4096;
const NO_BYTES: Uint8Array = new Uint8Array();

/**
 * Byte pair merging as the encodings define it: a piece starts as single bytes, and the adjacent parts whose joined bytes have the lowest
 * rank are merged until no adjacent parts form a token. It takes n·log n steps, and 16 to 24 bytes of memory per byte of the piece.
 */
export class Merge {
  readonly #vocabulary: Vocabulary;
  /** For each part, the rank of that part joined with the next. */
  readonly #ranks = new RankTree();
  #bytes = NO_BYTES;
  #from = 0;
  #size = 0;
  readonly #keptNext = new Int32Array(KEPT_PARTS + 1);
  readonly #keptPrevious = new Int32Array(KEPT_PARTS + 1);
  /** A part is identified by the position of its first byte in the piece; these are the positions of its neighbors. */
  #next = this.#keptNext;
  #previous = this.#keptPrevious;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Returns the number of tokens in `bytes` from `from` up to `to`. */
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

/** Longer pieces allocate their memory temporarily. */
const KEPT_LEAVES = 4096;
const ROOT = 1;

/** Ranks by position with the lowest found in log n steps: a binary tree where each node holds the lower of its children. */
export class RankTree {
  readonly #kept = new Int32Array(2 * KEPT_LEAVES);
  /** The children of node `n` are `2n` and `2n + 1`; position 0 is the node at `#leaves`. */
  #nodes = this.#kept;
  #leaves = ROOT;

  /** Allocates `size` ranks. `put` sets each of them, then `build` builds the tree. */
  reset(size: number): void {
    this.#leaves = ROOT;
    while (this.#leaves < size) this.#leaves *= 2;
    this.#nodes = this.#leaves <= KEPT_LEAVES ? this.#kept : new Int32Array(2 * this.#leaves);
    this.#nodes.fill(NO_RANK, this.#leaves + size, 2 * this.#leaves);
  }

  put(position: number, rank: number): void {
    this.#nodes[this.#leaves + position] = rank;
  }

  build(): void {
    const nodes = this.#nodes;
    for (let node = this.#leaves - 1; node >= ROOT; node--) {
      const left = nodes[2 * node] ?? NO_RANK;
      const right = nodes[2 * node + 1] ?? NO_RANK;
      nodes[node] = Math.min(left, right);
    }
  }

  /** Changes one rank of a built tree. */
  set(position: number, rank: number): void {
    const nodes = this.#nodes;
    let node = this.#leaves + position;
    let lowest = rank;
    nodes[node] = rank;
    while (node > ROOT) {
      const sibling = nodes[node ^ 1] ?? NO_RANK;
      if (sibling < lowest) lowest = sibling;
      node >>= 1;
      if (nodes[node] === lowest) return;
      nodes[node] = lowest;
    }
  }

  /** Returns the position of the lowest rank, the leftmost of equal ones; -1 if every rank is `NO_RANK`. */
  lowest(): number {
    const nodes = this.#nodes;
    const rank = nodes[ROOT];
    if (rank === NO_RANK) return -1;
    let node = ROOT;
    while (node < this.#leaves) {
      node *= 2;
      if (nodes[node] !== rank) node++;
    }
    return node - this.#leaves;
  }

  /** Frees the memory of a long piece. */
  release(): void {
    this.#nodes = this.#kept;
  }
}
