import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { openReader } from "./sighting.ts";

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
