import { NO_RANK } from "./vocabulary.ts";

/** Longer pieces borrow their memory for as long as they are being counted. */
const KEPT_LEAVES = 4096;
const ROOT = 1;

/** Ranks by position, of which the lowest is found in log n steps: a binary tree where each node holds the lower of its children. */
export class RankTree {
  readonly #kept = new Int32Array(2 * KEPT_LEAVES);
  /** The children of node `n` are `2n` and `2n + 1`; position 0 is the node at `#leaves`. */
  #nodes = this.#kept;
  #leaves = ROOT;

  /** Makes room for `size` ranks. Each is then `put`, and `build` makes the tree of them. */
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

  /** Changes one rank of a tree that is built. */
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

  /** The position of the lowest rank, the leftmost among equals; -1 where every rank is `NO_RANK`. */
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

  /** Lets go of what a long piece borrowed. */
  release(): void {
    this.#nodes = this.#kept;
  }
}
