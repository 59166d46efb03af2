import { expect, it } from "vitest";
import { cycles } from "./cycles.ts";
import { parseFiles } from "./parse-files.ts";

it("accepts files and folders that import in one direction", () => {
  const files = parseFiles({
    "packages/a/src/index.ts": 'export * from "./b.ts"; export * from "./deep/c.ts";',
    "packages/a/src/b.ts": 'import "./deep/c.ts";',
    "packages/a/src/deep/c.ts": 'import "./d.ts";',
    "packages/a/src/deep/d.ts": "",
    "packages/a/src/wide/e.ts": 'import "../deep/c.ts"; import "../deep/d.ts";',
  });
  expect(cycles(files)).toEqual([]);
});

it("finds files that import each other, even as types", () => {
  const files = parseFiles({
    "packages/a/src/b.ts": 'import { c } from "./c.ts";',
    "packages/a/src/c.ts": 'import { d } from "./d.ts";',
    "packages/a/src/d.ts": 'import type { B } from "./b.ts";',
  });
  expect(cycles(files)).toEqual(["packages/a/src: b.ts → c.ts → d.ts → b.ts"]);
});

it("finds folders that import each other even if no files do", () => {
  const files = parseFiles({
    "packages/a/src/x/one.ts": 'import "../y/two.ts";',
    "packages/a/src/y/two.ts": "",
    "packages/a/src/y/three.ts": 'import "../x/four.ts";',
    "packages/a/src/x/four.ts": "",
  });
  expect(cycles(files)).toEqual(["packages/a/src: x → y → x"]);
});

it("finds a folder that imports a file that imports it", () => {
  const files = parseFiles({
    "packages/a/src/edit.ts": 'import "./passes/trim.ts";',
    "packages/a/src/passes/trim.ts": 'import "../edit.ts";',
  });
  expect(cycles(files)).toEqual(["packages/a/src: edit.ts → passes → edit.ts"]);
});

it("finds a root file that a folder imports while another root file imports that folder", () => {
  const files = parseFiles({
    "packages/a/src/server.ts": 'import "./stages/send.ts";',
    "packages/a/src/types.ts": "",
    "packages/a/src/stages/send.ts": 'import "../types.ts";',
  });
  expect(cycles(files)).toEqual(["packages/a/src: src → stages → src"]);
});

it("finds cycles deep in a package", () => {
  const files = parseFiles({
    "packages/a/src/x/y/one.ts": 'import "./two.ts";',
    "packages/a/src/x/y/two.ts": 'import "./one.ts";',
  });
  expect(cycles(files)).toEqual(["packages/a/src/x/y: one.ts → two.ts → one.ts"]);
});

it("ignores tests and test data", () => {
  const files = parseFiles({
    "packages/a/src/b/c.test.ts": 'import "../testing/make.ts";',
    "packages/a/src/testing/make.ts": 'import "../b/c.ts";',
    "packages/a/src/b/c.ts": "",
  });
  expect(cycles(files)).toEqual([]);
});
