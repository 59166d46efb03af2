import { expect, it } from "vitest";
import { missingTests } from "./missing-tests.ts";
import { parseFiles } from "./parse-files.ts";

it.each([
  ["a function", "export function add(a: number, b: number) { return a + b; }"],
  ["an arrow function", "export const add = (a: number, b: number) => a + b;"],
  ["a class", "export class Box {}"],
  ["a method in an object", "export const box = { open() { return 1; } };"],
  ["a branch at the top", "if (x) y();"],
])("requires a test for %s", (_, text) => {
  expect(missingTests(parseFiles({ "packages/a/src/b.ts": text }))).toEqual([
    "packages/a/src/b.ts is reached by no test of its package",
  ]);
});

it.each([
  ["types", "export interface A { readonly b: number; c(): void } export type D = A | null;"],
  ["re-exports", 'export * from "./b.ts"; export { c } from "./c.ts";'],
  ["plain data", "export const LIMITS = { window: 200_000, names: new Set(['a']) } as const satisfies object;"],
  ["one call that starts a program", 'import { run } from "./program.ts"; process.exitCode = await run(process.argv);'],
])("requires no test for %s", (_, text) => {
  expect(missingTests(parseFiles({ "packages/a/src/b.ts": text }))).toEqual([]);
});

it("accepts a test that imports the source directly or indirectly", () => {
  const source = { "packages/a/src/in/b.ts": "export function f() {}" };
  const middle = { "packages/a/src/c.ts": 'export { f } from "./in/b.ts";' };
  const test = { "packages/a/src/c.test.ts": 'import { f } from "./c.ts";' };
  expect(missingTests(parseFiles({ ...source, ...middle, ...test }))).toEqual([]);
  expect(missingTests(parseFiles({ ...source, ...test }))).toHaveLength(1);
  expect(missingTests(parseFiles({ ...source, ...middle, "packages/a/src/c.test.ts": "" }))).toHaveLength(1);
});

it("follows a worker to its file", () => {
  const source = { "packages/a/src/work.ts": "export function f() {}" };
  const test = { "packages/a/src/a.test.ts": 'new Worker(new URL("./work.ts", import.meta.url));' };
  expect(missingTests(parseFiles({ ...source, ...test }))).toEqual([]);
});

it("ignores test data, benchmarks and tests", () => {
  const text = "export function f() {}";
  const files = parseFiles({
    "packages/a/src/testing/b.ts": text,
    "bench/b.ts": text,
    "packages/a/src/b.test.ts": text,
  });
  expect(missingTests(files)).toEqual([]);
});
