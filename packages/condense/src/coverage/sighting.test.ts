import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { LONG_LINE, openReader, stretchesOf, Vocabulary } from "./sighting.ts";

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
  const said = contents.contents.map((content) => {
    const lines = content.text.split("\n");
    return lines.map((line) => {
      const from = content.text.indexOf(line);
      return { line, terms: reader.read(content, { from, to: from + line.length }) };
    });
  });
  return { reader, said: said.flat(), chances: reader.vocabulary.chances() };
}

describe("openReader", () => {
  it("remembers what users and results name, and a bare list least", () => {
    const { said, chances } = readAll();
    const chanceOf = (start: string) => chances[said.find(({ line }) => line.startsWith(start))?.terms[0] ?? -1] ?? 0;
    expect(chanceOf("Rename")).toBeGreaterThan(chanceOf("src/said.ts"));
    expect(chanceOf("src/said.ts")).toBeGreaterThan(chanceOf("src/listed.ts"));
    expect(chanceOf("src/listed.ts")).toBeGreaterThan(0);
  });

  it("knows a line for one that is quoted later", () => {
    const { said, reader } = readAll();
    const known = reader.vocabulary.line(COMMAND);
    expect(known).toBeDefined();
    const lines = said.filter(({ line }) => line === COMMAND);
    expect(lines.map(({ terms }) => terms.includes(known ?? -1))).toEqual([true, true]);
  });

  it("does not care for lines that a result alone says faintly", () => {
    const many = [...messages, ...Array.from({ length: 40 }, () => makeAssistant("On we go."))];
    const { vocabulary } = openReader(decompose(many), many.length);
    expect(vocabulary.line("src/said.ts is broken in many ways indeed")).toBeUndefined();
  });

  it("gives each term of a text once", () => {
    const contents = decompose([makeUser("parseQuery calls parseQuery, as everybody knows")]);
    const reader = openReader(contents, 1);
    const [content] = contents.contents;
    expect(content && reader.read(content)).toHaveLength(2);
  });
});

function parts(text: string, longest: number = LONG_LINE.prose): string[] {
  return stretchesOf(text, longest).map(({ from, to }) => text.slice(from, to));
}

describe("stretchesOf", () => {
  it("gives lines with their ends", () => {
    expect(parts("one\ntwo\n\nthree")).toEqual(["one\n", "two\n", "\n", "three"]);
  });

  it("takes a long line apart where sentences end", () => {
    const sentence = "This sentence is made of about sixty characters, all in all. ";
    expect(parts(sentence.repeat(6))).toEqual(Array.from({ length: 6 }, () => sentence));
  });

  it("keeps a line of code whole that is no longer than code may be", () => {
    const line = `const list = [${"1, ".repeat(100)}];`;
    expect(parts(line, LONG_LINE.code)).toEqual([line]);
  });

  it("joined, gives any text, with parts that are not too long and no character cut in two", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), fc.constantFrom(200, 400), (text, longest) => {
        const found = parts(text, longest);
        expect(found.join("")).toBe(text);
        expect(found.every((part) => part.length <= longest)).toBe(true);
        expect(found.every((part) => part.isWellFormed())).toBe(true);
      }),
    );
  });

  it("is quick on one endless line", () => {
    expect(parts("x".repeat(200_000)).length).toBeGreaterThan(1_000);
  });
});

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
