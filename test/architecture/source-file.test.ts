import { expect, it } from "vitest";
import { parseFiles } from "./parse-files.ts";
import { packageOf, parseSource, purposeOf, resolveRelative } from "./source-file.ts";

it("finds every kind of import, with its line", () => {
  const text = `import type { A } from "./a.ts";
import { b } from "./b.ts";
import "./c.ts";
export * from "./d.ts";
export { e } from "./e.ts";
type F = import("./f.ts").F;
const g = () => import("./g.ts");
const h = (name: string) => import(name);
const text = 'import x from "./not-an-import.ts"';
// import y from "./not-an-import-either.ts"
`;
  expect(
    parseFiles({ "packages/x/src/x.ts": text })[0]?.imports.map((made) => `${made.line} ${made.specifier}`),
  ).toEqual([
    "1 ./a.ts",
    "2 ./b.ts",
    "3 ./c.ts",
    "4 ./d.ts",
    "5 ./e.ts",
    "6 ./f.ts",
    "7 ./g.ts",
    "8 a computed module",
  ]);
});

it("rejects a file that does not parse", () => {
  expect(() => parseSource({ path: "a.ts", text: "const = 1" })).toThrow("a.ts does not parse");
});

it("derives the package and purpose of a file from its path", () => {
  const paths = [
    "packages/wire/src/a.ts",
    "packages/wire/src/a.test.ts",
    "packages/wire/src/testing/make.ts",
    "bench/a.ts",
  ];
  expect(paths.map((path) => [packageOf(path), purposeOf(path)])).toEqual([
    ["wire", "source"],
    ["wire", "test"],
    ["wire", "testing"],
    [undefined, "source"],
  ]);
});

it("resolves a relative specifier", () => {
  expect(resolveRelative("packages/a/src/x/y.ts", "../z.ts")).toBe("packages/a/src/z.ts");
});
