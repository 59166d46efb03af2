import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../contents.ts";
import { sightTerms, termsIn } from "./sighting.ts";

const messages = [
  makeUser("Rename parseQuery, ticket 20417."),
  makeAssistant(makeToolCall("a", { name: "bash", input: { command: "npm run check -- --verbose --all" } })),
  makeUser(makeToolResult("a", "src/listed.ts\nsrc/said.ts is broken in many ways indeed")),
];

function chances(): (word: string) => number {
  const terms = sightTerms(decompose(messages), messages.length);
  const all = terms.chances();
  return (word) => all[terms.identifier(word) ?? -1] ?? 0;
}

describe("sightTerms", () => {
  it("remembers what users and results name, and a bare list least", () => {
    const chanceOf = chances();
    expect(chanceOf("parseQuery")).toBeGreaterThan(chanceOf("src/said.ts"));
    expect(chanceOf("src/said.ts")).toBeGreaterThan(chanceOf("src/listed.ts"));
    expect(chanceOf("src/listed.ts")).toBeGreaterThan(0);
  });

  it("knows the lines of arguments again, and those that a result alone says faintly", () => {
    const terms = sightTerms(decompose(messages), messages.length);
    expect(terms.line("npm run check -- --verbose --all")).toBeDefined();
    const likely = terms.chances()[terms.line("npm run check -- --verbose --all") ?? -1] ?? 0;
    const said = terms.chances()[terms.line("src/said.ts is broken in many ways indeed") ?? -1] ?? 0;
    expect(likely).toBeGreaterThan(20 * said);
  });
});

describe("termsIn", () => {
  it("gives each term of a text once, and nothing for what was never seen", () => {
    const terms = sightTerms(decompose(messages), messages.length);
    expect(termsIn("parseQuery calls parseQuery", terms)).toEqual([terms.identifier("parseQuery")]);
    expect(termsIn("neverSeen at all in this conversation", terms)).toEqual([]);
  });
});
