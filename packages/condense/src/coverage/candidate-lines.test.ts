import { textMessage } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { CandidateLines } from "./candidate-lines.ts";
import { openReader } from "./vocabulary.ts";

function makeCandidateLines(texts: readonly string[]): CandidateLines {
  const contents = decompose(texts.map((text) => textMessage("user", text)));
  const reader = openReader(contents, texts.length);
  const candidates = new CandidateLines();
  for (const content of contents.contents)
    candidates.add({ content, group: 0, tokensPerCharacter: 1, recency: 1, markTokens: 2 }, reader);
  return candidates;
}

it("returns the position and the terms of each line", () => {
  const candidates = makeCandidateLines(["one src/a.ts\ntwo\n", "src/a.ts and src/b.ts"]);
  const lines = Array.from({ length: candidates.size }, (_, unit) => {
    const { content } = candidates.textOf(unit);
    return content.text.slice(candidates.from(unit), candidates.to(unit));
  });
  expect(lines).toEqual(["one src/a.ts\n", "two\n", "src/a.ts and src/b.ts"]);
  const terms = lines.map((_, unit) => [...candidates.termsOf(unit)]);
  expect(terms[1]).toEqual([]);
  expect(terms[2]).toEqual(expect.arrayContaining(terms[0] ?? []));
  expect(candidates.texts.map(({ first, end }) => [first, end])).toEqual([
    [0, 2],
    [2, 3],
  ]);
});

it("grows to any number of lines", () => {
  const candidates = makeCandidateLines([
    Array.from({ length: 5_000 }, (_, index) => `line src/file-${index}.ts`).join("\n"),
  ]);
  expect(candidates.size).toBe(5_000);
  expect(candidates.termsOf(4_999)).toHaveLength(2);
});

it("throws for an unknown unit", () => {
  expect(() => new CandidateLines().textOf(0)).toThrow("unknown unit 0");
});
