/** A deterministic stream of numbers from 0 up to 1. */
export type Random = () => number;

/** Starts a stream (the mulberry32 recurrence). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks one of the choices; the first ones are much more frequent, like words. */
export function pickOften<T>(choices: readonly T[], random: Random): T {
  return choices[Math.floor(choices.length * random() * random())]!;
}

/** Picks one of the choices with equal probability. */
export function pick<T>(choices: readonly T[], random: Random): T {
  return choices[Math.floor(choices.length * random())]!;
}
