import { describe, expect, it } from "vitest";
import { makeCounter } from "../testing/counter.ts";
import type { Fact } from "./fact.ts";
import { FACTS_HEADING, linesFor, restoredFactsIn, withLines } from "./put-back.ts";

const counter = makeCounter();
const fact = (words: string, line: string, weight: number, order: number): Fact => ({
  kind: "term",
  words,
  line,
  weight,
  order,
});

describe("linesFor", () => {
  const facts = [
    fact("src/a.ts", "The bug is in src/a.ts all along.", 1, 0),
    fact("src/b.ts", "The test is in src/b.ts as ever.", 5, 2),
    fact("src/c.ts", "The page is in src/c.ts it seems.", 3, 1),
  ];

  it("takes the weightiest that fit and tells them in the order in which they were said", () => {
    const line = counter.countText("\n- The test is in src/b.ts as ever.") + 2;
    const heading = counter.countText(`\n\n${FACTS_HEADING}`);
    expect(linesFor(facts, heading + 2 * line, counter)).toEqual([facts[2]!.line, facts[1]!.line]);
    expect(linesFor(facts, heading + 1, counter)).toEqual([]);
    expect(linesFor(facts, 0, counter)).toEqual([]);
  });

  it("says a line once that tells two facts", () => {
    const line = "Both src/a.ts and src/b.ts are wrong.";
    expect(
      linesFor([fact("src/a.ts", line, 2, 0), fact("src/b.ts", "In src/b.ts as was said.", 1, 0)], 500, counter),
    ).toEqual([line]);
  });

  it("shows the part of a long line that tells the fact", () => {
    const line = `${"before it ".repeat(60)}src/a.ts ${"and after ".repeat(60)}`;
    const [shown = ""] = linesFor([fact("src/a.ts", line, 1, 0)], 500, counter);
    expect(shown).toMatch(/^… .*it src\/a\.ts and .* …$/);
    expect(shown.length).toBeLessThan(220);
  });
});

describe("withLines", () => {
  it("lists the lines under the summary", () => {
    expect(withLines("So far. ", ["one", "two"])).toBe(`So far.\n\n${FACTS_HEADING}\n- one\n- two`);
    expect(withLines("So far. ", [])).toBe("So far. ");
  });
});

describe("putBackIn", () => {
  it("reads what was put back, whatever stands around it", () => {
    const text = withLines("So far.", ["one", "- two"]);
    expect(restoredFactsIn(text)).toEqual(["one", "- two"]);
    expect(restoredFactsIn(`<summary>\n${text}\n\nGo on from here.`)).toEqual(["one", "- two"]);
  });

  it("finds nothing where nothing was put back", () => {
    expect(restoredFactsIn("So far.\n- one")).toEqual([]);
    expect(restoredFactsIn(`${FACTS_HEADING}\nnothing`)).toEqual([]);
  });
});
