import { expect, it } from "vitest";
import { forbiddenImports } from "./forbidden-imports.ts";
import { parseFiles } from "./parse-files.ts";

it("accepts imports that the table allows, and external packages", () => {
  const files = parseFiles({
    "packages/condense/src/a.ts": 'import "@longhaul/models"; import "./b.ts"; import "zod";',
    "packages/condense/src/a.test.ts":
      'import "@longhaul/conversation/testing"; import "./testing/make.ts"; import "./a.ts";',
    "packages/simulator/src/a.ts": 'import "@longhaul/models/catalog";',
    "packages/simulator/src/a.test.ts": 'import "@longhaul/conversation/testing";',
    "packages/gateway/src/a.test.ts": 'import "@longhaul/simulator";',
    "packages/cli/src/a.ts": 'import "@longhaul/gateway"; import "@longhaul/simulator";',
    "bench/a.ts": 'import "@longhaul/wire"; import "../packages/wire/src/a.ts";',
  });
  expect(forbiddenImports(files)).toEqual([]);
});

it.each([
  [
    "an import that the table lacks",
    "packages/condense/src/a.ts",
    "@longhaul/wire",
    "imports @longhaul/wire, which condense may not",
  ],
  [
    "the same import in a test",
    "packages/condense/src/a.test.ts",
    "@longhaul/wire",
    "imports @longhaul/wire, which condense may not",
  ],
  [
    "an import for tests in a source",
    "packages/gateway/src/a.ts",
    "@longhaul/simulator",
    "imports @longhaul/simulator, which gateway may not",
  ],
  [
    "an import of a higher package",
    "packages/wire/src/a.ts",
    "@longhaul/gateway",
    "imports @longhaul/gateway, which wire may not",
  ],
  [
    "more of a package than its one allowed entry",
    "packages/simulator/src/a.ts",
    "@longhaul/models",
    "imports @longhaul/models, which simulator may not",
  ],
  ["the dashboard", "packages/cli/src/a.ts", "@longhaul/dashboard", "imports @longhaul/dashboard, which cli may not"],
  [
    "a path into another package",
    "packages/condense/src/a.ts",
    "../../models/src/b.ts",
    "reaches out of its package with ../../models/src/b.ts",
  ],
  [
    "a path into bench",
    "packages/condense/src/a.ts",
    "../../../bench/b.ts",
    "reaches out of its package with ../../../bench/b.ts",
  ],
  ["a test", "packages/condense/src/a.test.ts", "./b.test.ts", "imports a test (./b.test.ts)"],
  [
    "test data in a source",
    "packages/condense/src/a.ts",
    "./testing/b.ts",
    "imports test data (./testing/b.ts) outside of tests",
  ],
  [
    "another's test data in a source",
    "packages/condense/src/a.ts",
    "@longhaul/conversation/testing",
    "imports test data (@longhaul/conversation/testing) outside of tests",
  ],
  [
    "anything in an unlisted package",
    "packages/helpers/src/a.ts",
    "zod",
    "belongs to the package helpers, which the table does not list",
  ],
])("refuses %s", (_, path, specifier, fault) => {
  expect(forbiddenImports(parseFiles({ [path]: `\nimport type { X } from "${specifier}";` }))).toEqual([
    `${path}:2 ${fault}`,
  ]);
});
