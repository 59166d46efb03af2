import fc from "fast-check";
import { expect, it } from "vitest";
import { betaHeader, betasIn } from "./beta-header.ts";

it.each([
  ["adds to nothing", undefined, ["a"], [], "a"],
  ["adds behind the client's own", "x,y", ["a"], [], "x,y,a"],
  ["adds nothing twice", " a , x ", ["a"], [], "a,x"],
  ["removes", "x,context-1m-2025-08-07,y", [], ["context-1m-2025-08-07"], "x,y"],
  ["never adds what is to be removed", "x", ["a"], ["a"], "x"],
  ["says nothing where nothing is left", "a,", [], ["a"], undefined],
  ["says nothing where nothing was", undefined, [], [], undefined],
])("%s", (_, client, add, remove, expected) => {
  expect(betaHeader(client, add, remove)).toBe(expected);
});

it("keeps the client's order and every value once", () => {
  const beta = fc.constantFrom("a", "b", "c", "d", "e");
  fc.assert(
    fc.property(fc.array(beta), fc.array(beta), fc.array(beta), (client, add, remove) => {
      const kept = betasIn(betaHeader(client.join(","), add, remove));
      expect(new Set(kept)).toEqual(new Set([...client, ...add].filter((value) => !remove.includes(value))));
      expect(kept).toEqual([...new Set([...client, ...add])].filter((value) => !remove.includes(value)));
    }),
  );
});
