/** Numbers in the order of their worth, the worthiest first. */
export class WorthHeap {
  readonly #worths: number[] = [];
  readonly #values: number[] = [];

  get size(): number {
    return this.#values.length;
  }

  /** The worth of the first; nothing is worth less than nothing. */
  get topWorth(): number {
    return this.#worths[0] ?? 0;
  }

  push(value: number, worth: number): void {
    let at = this.#values.length;
    this.#values.push(value);
    this.#worths.push(worth);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#worthAt(parent) >= worth) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#place(at, value, worth);
  }

  /** Takes the worthiest out. */
  pop(): number | undefined {
    const first = this.#values[0];
    const value = this.#values.pop();
    const worth = this.#worths.pop();
    if (value === undefined || worth === undefined || this.#values.length === 0) return first;
    this.#sink(value, worth);
    return first;
  }

  #sink(value: number, worth: number): void {
    const { length } = this.#values;
    let at = 0;
    for (let child = 1; child < length; child = 2 * at + 1) {
      const larger = child + 1 < length && this.#worthAt(child + 1) > this.#worthAt(child) ? child + 1 : child;
      if (this.#worthAt(larger) <= worth) break;
      this.#move(larger, at);
      at = larger;
    }
    this.#place(at, value, worth);
  }

  #worthAt(at: number): number {
    return this.#worths[at] ?? 0;
  }

  #move(from: number, to: number): void {
    this.#place(to, this.#values[from] ?? 0, this.#worthAt(from));
  }

  #place(at: number, value: number, worth: number): void {
    this.#values[at] = value;
    this.#worths[at] = worth;
  }
}
