import { expect, it } from "vitest";
import { passesIn } from "./passes-in.ts";

it("finds the passes of a report", () => {
  const pass = { id: "a", name: "A", tokensBefore: 2, tokensAfter: 1, operations: {}, costUsd: 0, milliseconds: 1 };
  expect(passesIn({ passes: [pass, { name: "half" }, null, 1] })).toEqual([pass]);
  expect(passesIn({})).toEqual([]);
});
