import { textMessage } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { openReader } from "./sighting.ts";
import { Supply } from "./supply.ts";

function makeSupply(texts: readonly string[]): Supply {
  const contents = decompose(texts.map((text) => textMessage("user", text)));
  const reader = openReader(contents, texts.length);
  const supply = new Supply();
  for (const content of contents.contents)
    supply.add({ content, group: 0, tokensPerCharacter: 1, recency: 1, markTokens: 2 }, reader);
  return supply;
}

it("tells for each line where it stands and what it says", () => {
  const supply = makeSupply(["one src/a.ts\ntwo\n", "src/a.ts and src/b.ts"]);
  const lines = Array.from({ length: supply.size }, (_, unit) => {
    const { content } = supply.textOf(unit);
    return content.text.slice(supply.from(unit), supply.to(unit));
  });
  expect(lines).toEqual(["one src/a.ts\n", "two\n", "src/a.ts and src/b.ts"]);
  const said = lines.map((_, unit) => [...supply.termsOf(unit)]);
  expect(said[1]).toEqual([]);
  expect(said[2]).toEqual(expect.arrayContaining(said[0] ?? []));
  expect(supply.texts.map(({ first, end }) => [first, end])).toEqual([
    [0, 2],
    [2, 3],
  ]);
});

it("grows with any number of lines", () => {
  const supply = makeSupply([Array.from({ length: 5_000 }, (_, index) => `line src/file-${index}.ts`).join("\n")]);
  expect(supply.size).toBe(5_000);
  expect(supply.termsOf(4_999)).toHaveLength(2);
});

it("knows no unit that it does not have", () => {
  expect(() => new Supply().textOf(0)).toThrow("there is no unit 0");
});
