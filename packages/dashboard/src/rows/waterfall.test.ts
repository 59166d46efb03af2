import { expect, it } from "vitest";
import { factsIn, passesIn } from "./waterfall.tsx";

const pass = { id: "a", name: "A", tokensBefore: 2, tokensAfter: 1, operations: {}, costUsd: 0, milliseconds: 1 };

it("returns the valid passes of a report", () => {
  expect(passesIn({ passes: [pass, { name: "half" }, null, 1] })).toEqual([pass]);
  expect(passesIn({})).toEqual([]);
});

it("adds an earlier condensation as the first pass", () => {
  expect(passesIn({ passes: [pass], tokensBefore: 9 })).toMatchObject([
    { name: "Earlier condensation", outcome: "reused", tokensBefore: 9, tokensAfter: 2 },
    pass,
  ]);
  expect(passesIn({ passes: [pass], tokensBefore: 2 })).toEqual([pass]);
});

it("adds the note to the passes of a report if it makes the result larger", () => {
  expect(passesIn({ passes: [pass], tokensAfter: 3 })).toMatchObject([
    pass,
    { name: "Note", outcome: "added", tokensBefore: 1, tokensAfter: 3 },
  ]);
  expect(passesIn({ passes: [pass], tokensAfter: 1 })).toEqual([pass]);
});

it("sums the facts of all passes", () => {
  const facts = { found: 3, retainedBySummary: 1, putBack: 1 };
  const passes = [{ ...pass, facts }, pass, { ...pass, facts: { found: "3" } }, { ...pass, facts }];
  expect(factsIn({ passes })).toEqual({ found: 6, retainedBySummary: 2, putBack: 2 });
  expect(factsIn({})).toEqual({ found: 0, retainedBySummary: 0, putBack: 0 });
});
