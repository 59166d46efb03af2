/** Map with a capacity: setting one key too many evicts the least recently set one. `get` does not count as a use. */
export class LruMap<Value> {
  readonly #capacity: number;
  readonly #values = new Map<string, Value>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Returns all values, least recently set first. */
  values(): Iterable<Value> {
    return this.#values.values();
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const oldest = this.#values.size > this.#capacity ? this.#values.keys().next().value : undefined;
    if (oldest !== undefined) this.#values.delete(oldest);
  }
}
