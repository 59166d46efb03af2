import { describe, expect, it } from "vitest";
import { MAX_RUN_MS, runCases, seedOf } from "./run-cases.ts";
import { FUZZ_TARGETS } from "./targets.ts";

/** Fixed, so that every test run tries the same cases. `npm run fuzz` uses a new seed. */
const SEED = 1;
const CASES_PER_WEIGHT = 60;

describe("every fuzz target", () => {
  it.each(FUZZ_TARGETS)("satisfies its claims: $name", async (target) => {
    const seed = seedOf(target, SEED);
    const report = await runCases(await target.open(seed), { seed, from: 0, count: target.weight * CASES_PER_WEIGHT });
    expect(report.failures).toEqual([]);
    expect(report.slowestMs).toBeLessThan(MAX_RUN_MS);
  });

  it("generates the same inputs from the same seed and different ones from another", async () => {
    const inputs = async (seed: number) => {
      const made: unknown[] = [];
      for (const target of FUZZ_TARGETS) {
        const open = await target.open(seed);
        const { make } = open;
        await runCases(
          {
            make: (random) => {
              const input = make(random);
              made.push(input);
              return input;
            },
            check: () => {},
          },
          { seed, from: 0, count: 5 },
        );
      }
      return made;
    };
    const first = await inputs(3);
    expect(await inputs(3)).toEqual(first);
    expect(await inputs(4)).not.toEqual(first);
  });
});
