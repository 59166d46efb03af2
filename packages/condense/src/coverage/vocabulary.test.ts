import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { LONG_LINE, openReader, splitLines, Vocabulary } from "./vocabulary.ts";

const COMMAND = "npm run check -- --verbose --all";
const messages = [
  makeUser("Rename parseQuery, ticket 20417."),
  makeUser(`I always use:\n${COMMAND}\nthank you`),
  makeAssistant(makeToolCall("a", { name: "bash", input: { command: COMMAND } })),
  makeUser(makeToolResult("a", "src/listed.ts\nsrc/said.ts is broken in many ways indeed")),
];

function readAll() {
  const contents = decompose(messages);
  const reader = openReader(contents, messages.length);
  const lines = contents.contents.map((content) => {
    const lines = content.text.split("\n");
    return lines.map((line) => {
      const from = content.text.indexOf(line);
      return { line, terms: reader.read(content, { from, to: from + line.length }) };
    });
  });
  return { reader, lines: lines.flat(), probabilities: reader.vocabulary.probabilities() };
}

describe("openReader", () => {
  it("weighs names by author, and a bare list least", () => {
    const { lines, probabilities } = readAll();
    const probabilityOf = (start: string) =>
      probabilities[lines.find(({ line }) => line.startsWith(start))?.terms[0] ?? -1] ?? 0;
    expect(probabilityOf("Rename")).toBeGreaterThan(probabilityOf("src/said.ts"));
    expect(probabilityOf("src/said.ts")).toBeGreaterThan(probabilityOf("src/listed.ts"));
    expect(probabilityOf("src/listed.ts")).toBeGreaterThan(0);
  });

  it("matches a line with a later quote", () => {
    const { lines, reader } = readAll();
    const known = reader.vocabulary.findLine(COMMAND);
    expect(known).toBeDefined();
    const quotes = lines.filter(({ line }) => line === COMMAND);
    expect(quotes.map(({ terms }) => terms.includes(known ?? -1))).toEqual([true, true]);
  });

  it("ignores lines with little weight", () => {
    const many = [...messages, ...Array.from({ length: 40 }, () => makeAssistant("On we go."))];
    const { vocabulary } = openReader(decompose(many), many.length);
    expect(vocabulary.findLine("src/said.ts is broken in many ways indeed")).toBeUndefined();
  });

  it("weighs a line that an edit changes more than one around it, which counts only in the new text", () => {
    const input = {
      path: "a.ts",
      find: "same parseQuery\nuse parseQuery",
      replace: "same parseQuery\nkeep parseQuery",
    };
    const edits = [makeUser("Use parseQuery."), makeAssistant(makeToolCall("a", { name: "edit_file", input }))];
    const { contents, ...rest } = decompose(edits);
    const reader = openReader({ contents, ...rest }, edits.length);
    const gains = contents.flatMap((content) =>
      content.text.split("\n").map((line) => {
        const from = content.text.indexOf(line);
        return { line, terms: reader.read(content, { from, to: from + line.length }) };
      }),
    );
    const probabilities = reader.vocabulary.probabilities();
    const [old, kept] = gains.filter(({ line }) => line === "same parseQuery").map(({ terms }) => terms.length);
    expect([old, kept]).toEqual([0, 1]);
    const gainOf = (line: string) =>
      gains.findLast((gain) => gain.line === line)?.terms.reduce((sum, term) => sum + (probabilities[term] ?? 0), 0) ??
      0;
    const order = ["keep parseQuery", "use parseQuery", "same parseQuery"].map(gainOf);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(new Set(order).size).toBe(3);
  });

  it("returns each term of a text once", () => {
    const contents = decompose([makeUser("parseQuery calls parseQuery, as everybody knows")]);
    const reader = openReader(contents, 1);
    const [content] = contents.contents;
    expect(content && reader.read(content)).toHaveLength(2);
  });
});

function parts(text: string, longest: number = LONG_LINE.prose): string[] {
  return splitLines(text, longest).map(({ from, to }) => text.slice(from, to));
}

describe("splitLines", () => {
  it("returns lines with their ends", () => {
    expect(parts("one\ntwo\n\nthree")).toEqual(["one\n", "two\n", "\n", "three"]);
  });

  it("splits a long line at sentence ends", () => {
    const sentence = "This sentence is made of about sixty characters, all in all. ";
    expect(parts(sentence.repeat(6))).toEqual(Array.from({ length: 6 }, () => sentence));
  });

  it("keeps a line of code whole up to its limit", () => {
    const line = `const list = [${"1, ".repeat(100)}];`;
    expect(parts(line, LONG_LINE.code)).toEqual([line]);
  });

  it("does not cut a name", () => {
    const paths = Array.from(
      { length: 9 },
      (_, index) => `/home/someone/projects/example/packages/part-${index}/src/index.ts`,
    );
    const found = parts(`["${paths.join('","')}"]`);
    expect(found.length).toBeGreaterThan(3);
    expect(found.flatMap((part) => part.match(/[\w./-]+\.ts/g) ?? [])).toEqual(paths);
  });

  it("joins to the same text, with bounded parts and no split characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), fc.constantFrom(200, 400), (text, longest) => {
        const found = parts(text, longest);
        expect(found.join("")).toBe(text);
        expect(found.every((part) => part.length <= longest)).toBe(true);
        expect(found.every((part) => part.isWellFormed())).toBe(true);
      }),
    );
  });

  it("is fast on one very long line", () => {
    expect(parts("x".repeat(200_000)).length).toBeGreaterThan(1_000);
  });
});

function probabilityOf(sights: readonly (readonly [message: number, strength: number])[]): number {
  const terms = new Vocabulary();
  for (const [message, strength] of sights) terms.addIdentifier("name", message, strength);
  return terms.probabilities()[0] ?? 0;
}

describe("Vocabulary", () => {
  it("returns a higher probability for a larger weight", () => {
    expect(probabilityOf([[0, 70]])).toBe(0.5);
    expect(probabilityOf([[0, 280]])).toBe(0.8);
  });

  it("returns a lower probability for numbers and hashes than for names", () => {
    const probabilities = (word: string) => {
      const terms = new Vocabulary();
      terms.addIdentifier(word, 0, 70);
      return terms.probabilities()[0] ?? 0;
    };
    expect(probabilities("20240515")).toBeLessThan(probabilities("parseLine") / 2);
    expect(probabilities("deadbeef")).toBeLessThan(probabilities("src/a.ts") / 2);
    expect(probabilities("gift_card_56")).toBeGreaterThan(probabilities("parseLine"));
  });

  it("sums messages, counting each by its largest weight", () => {
    expect(
      probabilityOf([
        [0, 2],
        [0, 1],
        [0, 3],
        [1, 2],
      ]),
    ).toBe(probabilityOf([[0, 5]]));
  });

  it("keeps lines apart from identical identifiers", () => {
    const terms = new Vocabulary();
    const identifier = terms.addIdentifier("src/index.ts", 0, 1);
    terms.addLine("src/index.ts", 0, 1);
    expect(terms.probabilities()).toHaveLength(2);
    expect(terms.findLine("src/index.ts")).not.toBe(identifier);
    expect(terms.addIdentifier("src/index.ts", 1, 1)).toBe(identifier);
    expect(terms.findLine("src/other.ts")).toBeUndefined();
  });
});
