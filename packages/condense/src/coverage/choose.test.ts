import { textMessage } from "@longhaul/conversation";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { CandidateLines, type Group } from "./candidate-lines.ts";
import { type Candidates, MaxHeap, openChoice } from "./choose.ts";
import { openReader } from "./vocabulary.ts";

/** Each text is its own group, at one token per character. */
function makeCandidates(texts: readonly string[], groups: readonly Partial<Group>[] = []): Candidates {
  const contents = decompose(texts.map((text) => textMessage("assistant", text)));
  const reader = openReader(contents, texts.length);
  const lines = new CandidateLines();
  for (const [group, content] of contents.contents.entries()) {
    lines.add({ content, group, tokensPerCharacter: 1, recency: 1, markTokens: 2 }, reader);
  }
  const all = texts.map((_, group) => ({ tokens: 0, terms: [], isKept: false, ...groups[group] }));
  return { lines, groups: all, probabilities: reader.vocabulary.probabilities(), covered: [] };
}

function chosen(candidates: Candidates, budgetTokens: number, choose = openChoice(candidates)): string[] {
  const choice = choose(budgetTokens);
  const units = Array.from({ length: candidates.lines.size }, (_, unit) => unit);
  return units
    .filter((unit) => choice.isChosen(unit))
    .map((unit) =>
      candidates.lines.textOf(unit).content.text.slice(candidates.lines.from(unit), candidates.lines.to(unit)).trim(),
    );
}

describe("openChoice", () => {
  it("prefers a line with names", () => {
    expect(chosen(makeCandidates(["nothing here\nopen src/main.ts\nnothing there"]), 20)).toEqual(["open src/main.ts"]);
  });

  it("counts a term in two lines only once", () => {
    const candidates = makeCandidates(["see src/main.ts\nand src/main.ts\nthen src/other.ts"]);
    expect(chosen(candidates, 40)).toEqual(["see src/main.ts", "then src/other.ts"]);
  });

  it("takes nothing that is kept elsewhere while something else is new", () => {
    const candidates = makeCandidates(["see src/main.ts\nsee src/other.ts"]);
    const covered = [...candidates.lines.termsOf(0)];
    expect(chosen({ ...candidates, covered }, 18)).toEqual(["see src/other.ts"]);
  });

  it("takes a line only together with the definition and the list that it needs", () => {
    const options =
      "Option A waits until the turn ends.\nplain words between the two lines\nsee src/main.ts for option A";
    expect(chosen(makeCandidates([options]), 40)).not.toContain("see src/main.ts for option A");
    expect(chosen(makeCandidates([options]), 70)).toEqual([
      "Option A waits until the turn ends.",
      "see src/main.ts for option A",
    ]);
    const list = "1. read it\n2. open src/main.ts\n3. run it\nplain words after the list";
    expect(chosen(makeCandidates([list]), 60)).toEqual(["1. read it", "2. open src/main.ts", "3. run it"]);
    expect(chosen(makeCandidates([list]), 35)).toEqual(["plain words after the list"]);
  });

  it("never exceeds the budget, and takes everything if it fits", () => {
    const texts = ["one src/a.ts\ntwo src/b.ts", "three src/c.ts"];
    expect(chosen(makeCandidates(texts), 1_000)).toHaveLength(3);
    for (const budget of [0, 5, 13, 26, 40]) {
      const candidates = makeCandidates(texts);
      // A text that is taken whole saves its mark.
      expect(chosen(candidates, budget).join("").length).toBeLessThanOrEqual(budget + texts.length * 2);
    }
  });

  it("keeps an expensive group only if its lines together are worth it", () => {
    const expensive = { tokens: 60 };
    const rich = Array.from({ length: 8 }, (_, index) => `src/rich-${index}.ts is here`).join("\n");
    const candidates = makeCandidates(["src/poor.ts is here", rich], [expensive, expensive]);
    const choice = openChoice(candidates)(250);
    expect([choice.isKept(0), choice.isKept(1)]).toEqual([false, true]);
  });

  it("keeps a group that must be kept, whatever the budget", () => {
    const candidates = makeCandidates(["words", "words"], [{ isKept: true }]);
    expect(openChoice(candidates)(0).isKept(0)).toBe(true);
    expect(openChoice(candidates)(0).isKept(1)).toBe(false);
  });

  it("chooses the same for a budget, whatever budgets came before", () => {
    const words = fc.constantFrom("src/main.ts", "parseLine", "plain words", "user_name", "4096", "");
    const texts = fc.array(
      fc.array(words, { minLength: 1 }).map((lines) => lines.join("\n")),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: -5, max: 200 })), (given, budgets) => {
        const candidates = makeCandidates(given);
        const choose = openChoice(candidates);
        for (const budget of budgets) expect(chosen(candidates, budget, choose)).toEqual(chosen(candidates, budget));
      }),
    );
  });

  it("fills the rest with the latest lines if nothing is new", () => {
    expect(chosen(makeCandidates(["plain words", "other words"]), 15)).toHaveLength(1);
  });
});

it("returns entries by descending priority", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (priorities) => {
      const heap = new MaxHeap();
      for (const [value, priority] of priorities.entries()) heap.push(value, priority);
      const popped = Array.from(priorities, () => ({ top: heap.topPriority, priority: priorities[heap.pop() ?? -1] }));
      expect(popped.map(({ priority }) => priority)).toEqual(priorities.toSorted((a, b) => b - a));
      expect(popped.every(({ top, priority }) => top === priority)).toBe(true);
      expect([heap.size, heap.pop(), heap.topPriority]).toEqual([0, undefined, 0]);
    }),
  );
});
