/**
 * Map with a capacity: setting one key too many evicts the least recently set ones. `get` does not count as a use. Give `weigh` if values
 * differ in size; a value that exceeds the capacity alone is not kept.
 */
export class LruMap<Value> {
  readonly #capacity: number;
  readonly #weigh: (value: Value, key: string) => number;
  readonly #values = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor(capacity: number, weigh: (value: Value, key: string) => number = () => 1) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key)?.value;
  }

  /** Returns all values, least recently set first. */
  values(): Iterable<Value> {
    return [...this.#values.values()].map(({ value }) => value);
  }

  delete(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0;
    this.#values.delete(key);
  }

  set(key: string, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(value, key);
    if (weight > this.#capacity) return;
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.delete(oldest);
    }
  }
}
