import { expect, it } from "vitest";
import { directJsonParsing } from "./json-parsing.ts";
import { parseSource } from "./source-file.ts";

const faults = (path: string, text: string) => directJsonParsing([parseSource({ path, text })]);

it("finds a call of JSON.parse", () => {
  expect(faults("packages/wire/src/a.ts", "\nexport const read = (text: string) => JSON.parse(text);")).toEqual([
    "packages/wire/src/a.ts:2 calls JSON.parse; use parseJsonText",
  ]);
});

it("allows single strings, tests, and packages that cannot import parseJsonText", () => {
  expect(faults("packages/wire/src/a.ts", 'JSON.parse(`"${text}"`);')).toEqual([]);
  expect(faults("packages/wire/src/a.test.ts", "JSON.parse(text);")).toEqual([]);
  expect(faults("packages/simulator/src/a.ts", "JSON.parse(text);")).toEqual([]);
});
