import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folderOfPackage, noticesOf } from "../../scripts/pack-notices.ts";

it.each([
  ["/r/node_modules/zod/v4/index.js", "/r/node_modules/zod"],
  ["/r/node_modules/@noble/hashes/sha2.js", "/r/node_modules/@noble/hashes"],
  ["/r/node_modules/a/node_modules/b/c.js", "/r/node_modules/a/node_modules/b"],
  ["/r/packages/cli/src/main.ts", undefined],
])("finds the package of %s", (path, folder) => {
  expect(folderOfPackage(path)).toBe(folder);
});

it("gives each package's licence once, and nothing for files of ours", () => {
  const zod = fileURLToPath(import.meta.resolve("zod"));
  const notices = noticesOf([zod, zod, fileURLToPath(import.meta.url)]);
  expect(notices.match(/^zod \d\S+ \(MIT\)$/gm)).toHaveLength(1);
  expect(notices).toContain("Permission is hereby granted");
});
