import { textMessage } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { chooseLines, type Market, WorthHeap } from "./choose.ts";
import { openReader } from "./sighting.ts";
import { type Group, Supply } from "./supply.ts";

/** Each text is a group of its own, at one token for a character. */
function makeMarket(texts: readonly string[], groups: readonly Partial<Group>[] = []): Market {
  const contents = decompose(texts.map((text) => textMessage("assistant", text)));
  const reader = openReader(contents, texts.length);
  const supply = new Supply();
  for (const [group, content] of contents.contents.entries()) {
    supply.add({ content, group, tokensPerCharacter: 1, recency: 1, markTokens: 2 }, reader);
  }
  const all = texts.map((_, group) => ({ tokens: 0, terms: [], isKept: false, ...groups[group] }));
  return { supply, groups: all, chances: reader.vocabulary.chances(), covered: [] };
}

function chosen(market: Market, budgetTokens: number): string[] {
  const choice = chooseLines(market, budgetTokens);
  const units = Array.from({ length: market.supply.size }, (_, unit) => unit);
  return units
    .filter((unit) => choice.isChosen(unit))
    .map((unit) =>
      market.supply.textOf(unit).content.text.slice(market.supply.from(unit), market.supply.to(unit)).trim(),
    );
}

describe("chooseLines", () => {
  it("prefers a line with names to one without", () => {
    expect(chosen(makeMarket(["nothing here\nopen src/main.ts\nnothing there"]), 20)).toEqual(["open src/main.ts"]);
  });

  it("says what two lines say only once", () => {
    const market = makeMarket(["see src/main.ts\nand src/main.ts\nthen src/other.ts"]);
    expect(chosen(market, 40)).toEqual(["see src/main.ts", "then src/other.ts"]);
  });

  it("takes nothing that is kept elsewhere while something else is new", () => {
    const market = makeMarket(["see src/main.ts\nsee src/other.ts"]);
    const covered = [...market.supply.termsOf(0)];
    expect(chosen({ ...market, covered }, 18)).toEqual(["see src/other.ts"]);
  });

  it("never goes over the budget, and takes everything where there is room", () => {
    const texts = ["one src/a.ts\ntwo src/b.ts", "three src/c.ts"];
    expect(chosen(makeMarket(texts), 1_000)).toHaveLength(3);
    for (const budget of [0, 5, 13, 26, 40]) {
      const market = makeMarket(texts);
      // A text that is taken whole saves the mark that would stand for it.
      expect(chosen(market, budget).join("").length).toBeLessThanOrEqual(budget + texts.length * 2);
    }
  });

  it("keeps a dear group only when its lines together are worth it", () => {
    const dear = { tokens: 60 };
    const rich = Array.from({ length: 8 }, (_, index) => `src/rich-${index}.ts is here`).join("\n");
    const market = makeMarket(["src/poor.ts is here", rich], [dear, dear]);
    const choice = chooseLines(market, 250);
    expect([choice.isKept(0), choice.isKept(1)]).toEqual([false, true]);
  });

  it("keeps a group that must be kept, whatever the budget", () => {
    const market = makeMarket(["words", "words"], [{ isKept: true }]);
    expect(chooseLines(market, 0).isKept(0)).toBe(true);
    expect(chooseLines(market, 0).isKept(1)).toBe(false);
  });

  it("fills what is left with the latest where nothing new is said", () => {
    expect(chosen(makeMarket(["plain words", "other words"]), 15)).toHaveLength(1);
  });
});

it("gives back what was put in, the worthiest first", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (worths) => {
      const heap = new WorthHeap();
      for (const [value, worth] of worths.entries()) heap.push(value, worth);
      const popped = Array.from(worths, () => ({ top: heap.topWorth, worth: worths[heap.pop() ?? -1] }));
      expect(popped.map(({ worth }) => worth)).toEqual(worths.toSorted((a, b) => b - a));
      expect(popped.every(({ top, worth }) => top === worth)).toBe(true);
      expect([heap.size, heap.pop(), heap.topWorth]).toEqual([0, undefined, 0]);
    }),
  );
});
