import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSummaryCosts } from "./summary-costs.ts";

const CLAUDE = { upstream: "up", model: "claude", form: "text" } as const;
const ESTIMATED = { promptUsd: 0.02, outputUsd: 0.01 };

describe("makeSummaryCosts", () => {
  it("does not change an estimate before it has learned", () => {
    expect(makeSummaryCosts().correct(CLAUDE, ESTIMATED)).toEqual(ESTIMATED);
  });

  it("corrects prompt and output separately, for the same upstream, model and form of request", () => {
    const costs = makeSummaryCosts();
    costs.learn(CLAUDE, ESTIMATED, { promptUsd: 0.05, outputUsd: 0.005 });
    expect(costs.correct(CLAUDE, { promptUsd: 0.04, outputUsd: 0.02 })).toEqual({ promptUsd: 0.1, outputUsd: 0.01 });
    const others = [{ upstream: "other" }, { model: "gpt" }, { form: "appended" as const }];
    for (const other of others) expect(costs.correct({ ...CLAUDE, ...other }, ESTIMATED)).toEqual(ESTIMATED);
  });

  it("ignores a part with an estimate of 0", () => {
    const costs = makeSummaryCosts();
    costs.learn(CLAUDE, { promptUsd: 0, outputUsd: 0.01 }, { promptUsd: 0, outputUsd: 0.02 });
    expect(costs.correct(CLAUDE, ESTIMATED)).toEqual({ promptUsd: 0.02, outputUsd: 0.02 });
  });

  it("comes within 20% after a few summaries of a model that is off by a constant factor", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 4, maxLength: 12 }),
        (prompt, output, noise) => {
          const costs = makeSummaryCosts();
          const actualOf = (factor: number) => ({
            promptUsd: ESTIMATED.promptUsd * prompt * factor,
            outputUsd: ESTIMATED.outputUsd * output * factor,
          });
          for (const factor of noise) costs.learn(CLAUDE, ESTIMATED, actualOf(factor));
          const corrected = costs.correct(CLAUDE, ESTIMATED);
          const actual = actualOf(1);
          const off = (corrected.promptUsd + corrected.outputUsd) / (actual.promptUsd + actual.outputUsd);
          expect(Math.abs(off - 1)).toBeLessThanOrEqual(0.2);
        },
      ),
    );
  });
});
