import { type FuzzTarget, openTarget } from "./target.ts";

/** Targets that fail in each way, to test that a campaign reports it. */
export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  failing("sound", () => {}),
  failing("throws", (numbers) => {
    if (numbers.includes(7)) throw new TypeError("seven");
  }),
  failing("hangs", (numbers) => {
    while (numbers[0] === 3);
  }),
  failing("exits", (numbers) => {
    if (numbers[0] === 4) process.exit(9);
  }),
  failing("pollutes", (numbers) => {
    if (numbers[0] === 5) Reflect.set(Object.prototype, "polluted", true);
  }),
];

function failing(name: string, check: (numbers: number[]) => void): FuzzTarget {
  const make = (random: { below(limit: number): number }) => Array.from({ length: 9 }, () => random.below(10));
  return { name, weight: 1, open: () => openTarget<number[]>({ make, check }) };
}
