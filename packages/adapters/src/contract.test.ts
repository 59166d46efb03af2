import { expect, it } from "vitest";
import { type Form, makeFormMemory } from "./contract.ts";

function makeForm(messages: number): Form {
  return {
    projection: { version: 2, messages, entries: [] },
    tokensBefore: 100,
    tokensAfter: 10,
    targetTokens: 50,
  };
}

it("returns the form of the first key that has one", async () => {
  const memory = makeFormMemory();
  await memory.save("short", makeForm(1));
  await memory.save("long", makeForm(2));
  expect(memory.load(["longest", "long", "short"])).toEqual(makeForm(2));
  expect(memory.load(["other"])).toBeUndefined();
});

it("evicts the least recently used form", async () => {
  const memory = makeFormMemory(2);
  for (const key of ["a", "b"]) await memory.save(key, makeForm(1));
  await memory.load(["a"]);
  await memory.save("c", makeForm(1));
  expect(["a", "b", "c"].filter((key) => memory.load([key]) !== undefined)).toEqual(["a", "c"]);
});
