import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtSpecifiers, copyTypes } from "../../scripts/pack-types.ts";

it("points declarations at what is built, and leaves packages alone", () => {
  const text = 'import { z } from "zod.ts";\nexport type { A } from "./a.ts";\nexport const b: import("../b.ts").B;\n';
  expect(builtSpecifiers(text)).toBe(
    'import { z } from "zod.ts";\nexport type { A } from "./a.js";\nexport const b: import("../b.js").B;\n',
  );
});

it("copies declarations alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  mkdirSync(join(folder, "from/inner"), { recursive: true });
  writeFileSync(join(folder, "from/inner/a.d.ts"), 'export * from "./b.ts";\n');
  writeFileSync(join(folder, "from/tsconfig.tsbuildinfo"), "");
  copyTypes(join(folder, "from"), join(folder, "to"));
  expect(readFileSync(join(folder, "to/inner/a.d.ts"), "utf8")).toBe('export * from "./b.js";\n');
  expect(() => readFileSync(join(folder, "to/tsconfig.tsbuildinfo"))).toThrow("ENOENT");
  rmSync(folder, { recursive: true });
});
