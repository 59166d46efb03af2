import { expect, it } from "vitest";
import { apiPage, exportsOf, LIBRARIES, libraryPage } from "../../scripts/api-page.ts";
import { readText } from "../repository.ts";

const FILES: Readonly<Record<string, string>> = {
  "src/index.ts": 'export * from "./a.ts";\nexport { type B, c as d } from "./b.ts";\n',
  "src/a.ts":
    "/** Adds. */\nexport function add(a: number): number {\n  return a + 1;\n}\nfunction inner(): void {}\n/**\n * Two\n * lines.\n */\nexport const LIMIT = 3;\n",
  "src/b.ts":
    "/** A shape. */\nexport interface B {\n  readonly a: string;\n}\n/** Sees. */\nexport const c: () => void = () => {};\n/** Unseen. */\nexport const e = 1;\n",
  "src/class.ts":
    "/** One. */\nexport class One extends Two {\n  readonly #hidden = 1;\n  readonly shown: number;\n  constructor(a: string) {\n    super(a);\n  }\n  get size(): number {\n    return 1;\n  }\n}\n",
};
const read = (path: string) => FILES[path] ?? "";

it("finds exports with their doc comment and declaration", () => {
  expect(exportsOf("src/index.ts", read)).toEqual([
    { name: "add", path: "src/a.ts", doc: "Adds.", signature: "function add(a: number): number" },
    { name: "LIMIT", path: "src/a.ts", doc: "Two\nlines.", signature: "const LIMIT = 3" },
    { name: "B", path: "src/b.ts", doc: "A shape.", signature: "interface B {\n  readonly a: string;\n}" },
    { name: "d", path: "src/b.ts", doc: "Sees.", signature: "const c: () => void" },
  ]);
});

it("shows the public members of a class", () => {
  expect(exportsOf("src/class.ts", read)[0]?.signature).toBe(
    "class One extends Two {\n  readonly shown: number;\n  constructor(a: string)\n  get size(): number\n}",
  );
});

it("writes a page by entry point and file", () => {
  const page = apiPage("Exports of lib", [["lib", exportsOf("src/index.ts", read)]]);
  expect(page).toContain(
    "## `lib`\n\n### a\n\n**`add`**: Adds.\n\n```typescript\nfunction add(a: number): number\n```\n",
  );
});

it.each(LIBRARIES)("packages/%s/API.md matches the sources (update with `npm run api`)", (name) => {
  expect(readText(`packages/${name}/API.md`)).toBe(libraryPage(name, readText));
});

it.each(["conversation", "models", "condense"])("keeps the entry of %s small: at most 30 names", (library) => {
  const names = exportsOf(`packages/${library}/src/index.ts`, readText).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(30);
});
