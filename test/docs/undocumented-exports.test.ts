import { expect, it } from "vitest";
import { parseFiles } from "../architecture/parse-files.ts";
import { undocumentedExports } from "./undocumented-exports.ts";

const INDEX = "packages/a/src/index.ts";

it.each([
  ["a function", "export function open(): void {}", "open"],
  ["a constant", "export const LIMIT = 1;", "LIMIT"],
  ["a type", "export type Size = number;", "Size"],
  ["an interface", "export interface Box { size: number }", "Box"],
  ["a class", "export class Box {}", "Box"],
  ["a constant after a plain comment", "// The most that fits.\nexport const LIMIT = 1;", "LIMIT"],
  ["a constant after a plain block comment", "/* The most that fits. */\nexport const LIMIT = 1;", "LIMIT"],
  ["a constant after another's doc comment", "/** The least. */\nconst LEAST = 0;\nexport const LIMIT = 1;", "LIMIT"],
])("finds %s without a doc comment", (_, text, name) => {
  const found = undocumentedExports([INDEX], parseFiles({ [INDEX]: text }));
  expect(found).toEqual([expect.stringMatching(`^packages/a/src/index.ts:\\d ${name} has no doc comment$`)]);
});

it("finds it behind re-exports, by star and by name", () => {
  const files = parseFiles({
    [INDEX]: 'export * from "./b.ts"; export { shown } from "./c.ts";',
    "packages/a/src/b.ts": 'export * from "./d.ts";\n/** Fine. */\nexport const b = 1;',
    "packages/a/src/c.ts": "export const shown = 1;\nexport const hidden = 1;",
    "packages/a/src/d.ts": "\nexport const d = 1;",
  });
  expect(undocumentedExports([INDEX], files)).toEqual([
    "packages/a/src/d.ts:2 d has no doc comment",
    "packages/a/src/c.ts:1 shown has no doc comment",
  ]);
});

it("accepts documented exports, and ignores unreachable ones", () => {
  const files = parseFiles({
    [INDEX]: 'export * from "./b.ts"; export * from "zod";',
    "packages/a/src/b.ts": "/** Opens it. */\nexport function open(): void {}\nfunction inner(): void {}",
    "packages/a/src/c.ts": "export const unreachable = 1;",
  });
  expect(undocumentedExports([INDEX], files)).toEqual([]);
});
