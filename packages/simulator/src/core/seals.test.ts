import { expect, it } from "vitest";
import { makeSeals } from "./seals.ts";

const seals = makeSeals("secret");
const sealed = seals.seal("thinking", { text: "é" });

it("opens what it sealed", () => {
  expect(seals.open("thinking", sealed)).toEqual({ text: "é" });
  expect(makeSeals("secret").open("thinking", sealed)).toEqual({ text: "é" });
});

it.each([
  ["another kind", () => seals.open("compaction", sealed)],
  ["another secret", () => makeSeals("other").open("thinking", sealed)],
  ["a changed text", () => seals.open("thinking", `${sealed.slice(0, -6)}AAAA${sealed.slice(-2)}`)],
  ["a cut text", () => seals.open("thinking", sealed.slice(0, 40))],
  ["a text with more behind it", () => seals.open("thinking", `${sealed}!`)],
  ["no text", () => seals.open("thinking", "")],
])("does not open %s", (_, open) => {
  expect(open()).toBeUndefined();
});
