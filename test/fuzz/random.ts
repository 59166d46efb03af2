/** A seeded random number generator. */
export interface Random {
  /** Returns an integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** Returns true with a probability of `percent`. */
  chance(percent: number): boolean;
  /** Returns an element of a non-empty list. */
  pick<T>(list: readonly T[]): T;
}

/** Creates a generator (sfc32). The same seeds give the same sequence on every machine. */
export function makeRandom(...seeds: readonly number[]): Random {
  const words = [0x9e3779b9, 0x243f6a88, 0xb7e15162].map((word, index) => (word ^ (seeds[index] ?? 0)) | 0);
  let [a = 0, b = 0, c = 0] = words;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first numbers still correlate with the seeds.
  for (let round = 0; round < 12; round++) next();
  const below = (limit: number): number => next() % limit;
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}
