import { expect, it } from "vitest";
import { openTables } from "./open-tables.ts";
import { parseFiles } from "./parse-files.ts";

it("finds plain objects indexed by a computed key, in their own file and where they are imported", () => {
  const tables = `
const KINDS: Record<string, string> = { a: "b" };
export const CODES = { a: 1 } as const satisfies object;
export const kindOf = (name: string) => KINDS[name] ?? { x: 1 }[name];
`;
  const user = 'import { CODES as C } from "@longhaul/a";\nexport const codeOf = (name: string) => C[name];\n';
  expect(openTables(parseFiles({ "packages/a/src/b.ts": tables, "packages/c/src/d.ts": user }))).toEqual([
    "packages/a/src/b.ts:4 indexes an object literal; make it a constant with table({…})",
    "packages/a/src/b.ts:2 KINDS is indexed by a computed key; make it with table({…})",
    "packages/a/src/b.ts:3 CODES is indexed by a computed key; make it with table({…})",
  ]);
});

it("accepts tables, maps, lists, literal keys and objects that are only enumerated", () => {
  const text = `
const KINDS = table({ a: "b" });
const NAMES = new Map([["a", "b"]]);
const LIST = ["a"];
const SHOWN = { a: "b" };
export const kindOf = (name: string, at: number) => [KINDS[name], NAMES.get(name), LIST[at], SHOWN["a"], Object.keys(SHOWN)];
`;
  expect(openTables(parseFiles({ "packages/a/src/b.ts": text }))).toEqual([]);
});

it("ignores tests, the simulator and the dashboard", () => {
  const text = "const KINDS = { a: 1 };\nexport const kindOf = (name: string) => KINDS[name];\n";
  const paths = [
    "packages/a/src/b.test.ts",
    "packages/simulator/src/b.ts",
    "packages/dashboard/src/b.ts",
    "bench/b.ts",
  ];
  expect(openTables(parseFiles(Object.fromEntries(paths.map((path) => [path, text]))))).toEqual([]);
});
