/** Keeps what was put last, up to a number: what was not put again for the longest time gives way. */
export class Latest<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** All of them, the one that was not put for the longest time first. */
  values(): Iterable<Value> {
    return this.#values.values();
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  put(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const oldest = this.#values.size > this.#most ? this.#values.keys().next().value : undefined;
    if (oldest !== undefined) this.#values.delete(oldest);
  }
}
