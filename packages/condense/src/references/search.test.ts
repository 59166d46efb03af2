import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reformatLines } from "./line-format.ts";
import { Lines } from "./lines.ts";
import { LineIndex, type Run, Search, textOf } from "./search.ts";

function readLines(texts: readonly string[]): Lines {
  const lines = new Lines((passage) => texts[passage] ?? "");
  for (const text of texts) lines.add({ from: 0, to: text.length, group: "" });
  return lines;
}

function find(texts: readonly string[], accepts: (run: Run) => boolean = () => true): { run: Run; text: string }[] {
  const lines = readLines(texts);
  const search = new Search(lines);
  return texts
    .flatMap((_, passage) => search.findRuns(passage, accepts))
    .map((run) => ({ run, text: textOf(lines, run.from, run.to) }));
}

/** Two lines with the same hashes. */
function sameHash(): [string, string] {
  const text = Array.from({ length: 400_000 }, (_, serial) => `line ${Math.imul(serial, 2_654_435_761)}`).join("\n");
  const lines = readLines([text]);
  const seen = new Map<number, number>();
  for (const [row, saying] of lines.contentHash.slice(0, lines.rows).entries()) {
    const earlier = saying === 0 ? undefined : seen.get(saying);
    if (earlier !== undefined) return [textOf(lines, earlier, earlier + 1), textOf(lines, row, row + 1)];
    seen.set(saying, row);
  }
  throw new Error("no two hashes are the same");
}

const poem = ["the first line", "{", "the second line", "", "the third line", "}"].join("\n");

describe("Search", () => {
  it("finds the longest run and extends it back over lines with little content", () => {
    const found = find([poem, `another line\n{\nthe second line\n\nthe third line\n}\nthe end of it`]);
    expect(found.map(({ text }) => text)).toEqual(["{\nthe second line\n\nthe third line\n}"]);
  });

  it("finds lines with other line numbers", () => {
    const numbered = poem.split("\n").map((line, index) => `${index + 8}: ${line}`);
    const [found] = find([poem, numbered.join("\n")]);
    expect(found?.run).toMatchObject({ target: 0, dressing: { numbering: { first: 8, width: 0, separator: ": " } } });
    expect(found?.text).toBe(numbered.join("\n"));
  });

  it("prefers the earliest of equal targets", () => {
    expect(find([poem, `${poem}\nmore`, poem], (run) => run.from > 14).map(({ run }) => run.target)).toEqual([0]);
  });

  it("finds no target in lines that were replaced themselves", () => {
    const [second, third] = find([poem, poem, poem]);
    expect(second?.run.target).toBe(0);
    expect(third?.run.target).toBe(0);
  });

  it("keeps lines indexed whose run was not accepted", () => {
    const found = find(
      [poem, `${poem}\nwith one more line`, `${poem}\nwith one more line`],
      (run) => run.to - run.from > 6,
    );
    expect(found.map(({ run }) => run.target)).toEqual([7]);
  });

  it("finds a repeat within one passage", () => {
    const filler = Array.from({ length: 20 }, (_, line) => `a line of its own, number ${line}`).join("\n");
    const found = find([`${poem}\n${filler}\n${poem}`]);
    expect(found.map(({ run }) => [run.from, run.target])).toEqual([[26, 0]]);
  });

  it("rejects lines that differ despite equal hashes", () => {
    const [line, other] = sameHash();
    expect(line).not.toBe(other);
    expect(find([`${line}\nmore\n${line}`, `${other}\nmore\n${other}`])).toEqual([]);
    expect(find([`${line}\nmore\n${line}`, `${line}\nmore\n${line}`])).toHaveLength(1);
  });

  it("reproduces every run exactly, from earlier lines outside of runs", () => {
    const line = fc.constantFrom(
      "alpha beta gamma",
      "    12: delta",
      "{",
      "",
      "epsilon zeta\r",
      "12→alpha beta gamma",
      "7 | delta",
    );
    const text = fc.array(line, { minLength: 1, maxLength: 40 }).map((all) => all.join("\n"));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const lines = readLines(texts);
        const search = new Search(lines);
        const taken = new Set<number>();
        for (const run of texts.flatMap((_, passage) =>
          search.findRuns(passage, (found) => found.to - found.from > 1),
        )) {
          const end = run.target + run.to - run.from;
          expect(end).toBeLessThanOrEqual(run.from);
          expect(reformatLines(textOf(lines, run.target, end), run)).toBe(textOf(lines, run.from, run.to));
          for (let row = run.target; row < end; row++) expect(taken.has(row)).toBe(false);
          for (let row = run.from; row < run.to; row++) taken.add(row);
        }
      }),
    );
  });

  it("truncates as if the last passages were never added", () => {
    const texts = [poem, "words that never occur again", poem];
    const lines = new Lines((passage) => texts[passage] ?? "");
    const search = new Search(lines);
    const runsIn = (passage: number) => {
      lines.add({ from: 0, to: texts[passage]?.length ?? 0, group: "" });
      return search.findRuns(passage, () => true);
    };
    const runs = texts.map((_, passage) => runsIn(passage));
    search.truncate(1);
    expect([runsIn(1), runsIn(2)]).toEqual(runs.slice(1));
    search.truncate(0);
    texts[0] = "nothing of it";
    expect(texts.map((_, passage) => runsIn(passage))).toEqual([[], [], []]);
  });
});

const text = ["same words", "other words", "same words", "}", ...Array.from({ length: 40 }, () => "many a time")].join(
  "\n",
);
const lines = new Lines(() => text);
lines.add({ from: 0, to: text.length, group: "" });

describe("LineIndex", () => {
  it("finds indexed lines with the same content, latest first", () => {
    const index = new LineIndex(lines);
    expect(index.find(0)).toEqual([]);
    index.add(0);
    index.add(1);
    index.add(2);
    expect(index.find(0)).toEqual([2, 0]);
    expect(index.find(1)).toEqual([1]);
  });

  it("indexes only the first of many equal lines, and none with little content", () => {
    const index = new LineIndex(lines);
    for (let row = 3; row < 44; row++) index.add(row);
    expect(index.find(43)).toEqual(Array.from({ length: 16 }, (_, at) => 19 - at));
    expect(index.find(3)).toEqual([]);
  });

  it("truncates as if the last rows were never added", () => {
    const index = new LineIndex(lines);
    for (let row = 0; row < 44; row++) index.add(row);
    index.truncate(2);
    expect(index.find(0)).toEqual([0]);
    expect(index.find(43)).toEqual([]);
    for (let row = 2; row < 44; row++) index.add(row);
    expect(index.find(0)).toEqual([2, 0]);
    expect(index.find(43)).toEqual(Array.from({ length: 16 }, (_, at) => 19 - at));
  });
});
