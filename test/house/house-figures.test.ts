import { expect, it } from "vitest";
import { measureHouse } from "../../scripts/house-figures.ts";
import { parseSource } from "../architecture/source-file.ts";

const SMALL = "export function one(): number {\n  return 1;\n}\n";

function figuresOf(files: Readonly<Record<string, string>>) {
  return measureHouse(Object.entries(files).map(([path, text]) => parseSource({ path, text })));
}

it("counts files and lines by package, without tests and test data", () => {
  const figures = figuresOf({
    "packages/a/src/one.ts": SMALL,
    "packages/a/src/one.test.ts": SMALL,
    "packages/a/src/testing/make.ts": SMALL,
    "packages/b/src/in/two.ts": SMALL,
  });
  expect(figures.get("a")).toMatchObject({ files: 1, lines: 3, rootFiles: 1, under15Lines: 1, functions: [3, 3, 3] });
  expect(figures.get("b")).toMatchObject({ files: 1, rootFiles: 0 });
  expect(figures.get("all")).toMatchObject({ files: 2, lines: 6 });
});

it("finds small files with one importer", () => {
  const figures = figuresOf({
    "packages/a/src/one.ts": SMALL,
    "packages/a/src/two.ts": SMALL.replace("one", "two"),
    "packages/a/src/main.ts": 'import { one } from "./one.ts";\nimport { two } from "./two.ts";\none();\ntwo();\n',
    "packages/a/src/other.ts": 'import { two } from "./two.ts";\ntwo();\n',
  });
  expect(figures.get("a")?.singleImporter).toBe(1);
});

it("lists folders with more than twenty files", () => {
  const files = Object.fromEntries(
    Array.from({ length: 21 }, (_, index) => [`packages/a/src/in/f${index}.ts`, "export {};\n"]),
  );
  expect(figuresOf(files).get("a")?.largeFolders).toEqual(["packages/a/src/in"]);
});

it("counts comparisons with the names of formats and kinds", () => {
  const text = [
    'const CHAT = "openai-chat";',
    'const TABLE = { gemini: "gemini" };',
    'export const is = (wire: string, kind: string, at: { kind: string }) => wire === "gemini" || wire === CHAT ||',
    '  kind === "bedrock" || at.kind !== "gemini" || wire === "other" || TABLE.gemini === wire;',
    "",
  ].join("\n");
  expect(figuresOf({ "packages/a/src/is.ts": text }).get("a")).toMatchObject({
    formatComparisons: 2,
    kindComparisons: 2,
  });
});
