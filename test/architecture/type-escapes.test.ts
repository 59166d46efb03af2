import { expect, it } from "vitest";
import { parseFiles } from "./parse-files.ts";
import { typeEscapes } from "./type-escapes.ts";

it("finds assertions in sources", () => {
  const text = "const a = JSON.parse(x) as\n  Config;\nconst b = <Config>x;\n";
  expect(typeEscapes(parseFiles({ "packages/a/src/b.ts": text }))).toEqual([
    "packages/a/src/b.ts:1 asserts a type: JSON.parse(x) as Config",
    "packages/a/src/b.ts:3 asserts a type: <Config>x",
  ]);
});

it("accepts constants, guards and satisfies", () => {
  const text = `
const a = [1, 2] as const;
const b = { c: 1 } satisfies object;
function isBox(value: unknown): value is Box { return (value as Box).size > 0; }
const isSet = (value: unknown): value is Set<unknown> => (value as Set<unknown>).size > 0;
import * as all from "./all.ts";
export { a as first };
`;
  expect(typeEscapes(parseFiles({ "packages/a/src/b.ts": text }))).toEqual([]);
});

it("finds an assertion in a check that is not a type guard", () => {
  const text = "function isBox(value: unknown): boolean { return (value as Box).size > 0; }";
  expect(typeEscapes(parseFiles({ "packages/a/src/b.ts": text }))).toHaveLength(1);
});

it("ignores tests and test data", () => {
  const text = "const a = x as Config;";
  expect(typeEscapes(parseFiles({ "packages/a/src/b.test.ts": text, "packages/a/src/testing/b.ts": text }))).toEqual(
    [],
  );
});
