import { describe, expect, it } from "vitest";
import { Vocabulary } from "./vocabulary.ts";

function chanceOf(sights: readonly (readonly [message: number, strength: number])[]): number {
  const terms = new Vocabulary();
  for (const [message, strength] of sights) terms.seeIdentifier("name", message, strength);
  return terms.chances()[0] ?? 0;
}

describe("Vocabulary", () => {
  it("thinks likely what was seen strongly", () => {
    expect(chanceOf([[0, 5]])).toBe(0.5);
    expect(chanceOf([[0, 20]])).toBe(0.8);
  });

  it("adds up messages, and counts each by its strongest sight", () => {
    expect(
      chanceOf([
        [0, 2],
        [0, 1],
        [0, 3],
        [1, 2],
      ]),
    ).toBe(chanceOf([[0, 5]]));
  });

  it("keeps lines apart from identifiers of the same spelling", () => {
    const terms = new Vocabulary();
    const identifier = terms.seeIdentifier("src/index.ts", 0, 1);
    terms.seeLine("src/index.ts", 0, 1);
    expect(terms.chances()).toHaveLength(2);
    expect(terms.line("src/index.ts")).not.toBe(identifier);
    expect(terms.seeIdentifier("src/index.ts", 1, 1)).toBe(identifier);
    expect(terms.line("src/other.ts")).toBeUndefined();
  });
});
