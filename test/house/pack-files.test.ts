import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import {
  builtSpecifiers,
  copyTypes,
  folderOfPackage,
  licensesOf,
  startFile,
  withoutBrokenLinks,
} from "../../scripts/pack-files.ts";

it.each([
  ["/r/node_modules/zod/v4/index.js", "/r/node_modules/zod"],
  ["/r/node_modules/@noble/hashes/sha2.js", "/r/node_modules/@noble/hashes"],
  ["/r/node_modules/a/node_modules/b/c.js", "/r/node_modules/a/node_modules/b"],
  ["/r/packages/cli/src/main.ts", undefined],
])("finds the package of %s", (path, folder) => {
  expect(folderOfPackage(path)).toBe(folder);
});

it("returns each package's license once, and nothing for our own files", () => {
  const zod = fileURLToPath(import.meta.resolve("zod"));
  const notices = licensesOf([zod, zod, fileURLToPath(import.meta.url)]);
  expect(notices.match(/^zod \d\S+ \(MIT\)$/gm)).toHaveLength(1);
  expect(notices).toContain("Permission is hereby granted");
});

describe("withoutLostLinks", () => {
  it("keeps links to published files, other sites and the same page; replaces other links by their text, and drops missing images", () => {
    const page = "[a](docs/a.md#b), [c](../c.md), [d](https://example.com/d), [e](#e)![f](f.webp)";
    const published = withoutBrokenLinks(page, (path) => path === "docs/a.md");
    expect(published).toBe("[a](docs/a.md#b), c, [d](https://example.com/d), [e](#e)");
  });
});

describe("copyTypes", () => {
  it("points declarations at built files, and leaves packages unchanged", () => {
    const text =
      'import { z } from "zod.ts";\nexport type { A } from "./a.ts";\nexport const b: import("../b.ts").B;\n';
    expect(builtSpecifiers(text)).toBe(
      'import { z } from "zod.ts";\nexport type { A } from "./a.js";\nexport const b: import("../b.js").B;\n',
    );
  });

  it("copies only declarations", () => {
    const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
    mkdirSync(join(folder, "from/inner"), { recursive: true });
    writeFileSync(join(folder, "from/inner/a.d.ts"), 'export * from "./b.ts";\n');
    writeFileSync(join(folder, "from/tsconfig.tsbuildinfo"), "");
    copyTypes(join(folder, "from"), join(folder, "to"));
    expect(readFileSync(join(folder, "to/inner/a.d.ts"), "utf8")).toBe('export * from "./b.js";\n');
    expect(() => readFileSync(join(folder, "to/tsconfig.tsbuildinfo"))).toThrow("ENOENT");
    rmSync(folder, { recursive: true });
  });
});

describe("startFile", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  function runOn(engines: string) {
    writeFileSync(join(folder, "longhaul.mjs"), startFile(engines));
    writeFileSync(join(folder, "main.js"), 'process.stdout.write("runs");');
    const { status, stdout, stderr } = spawnSync(process.execPath, ["longhaul.mjs"], { cwd: folder, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  it("starts the program if Node is new enough", () => {
    const [major, minor] = process.versions.node.split(".");
    for (const engines of [">=22.19", `>=${major}.${minor}`])
      expect(runOn(engines)).toEqual({ status: 0, stdout: "runs", stderr: "" });
  });

  it.each([">=99.0", `>=${process.versions.node.split(".")[0]}.999`])("reports that %s is required", (engines) => {
    const stderr = `longhaul: Node ${process.versions.node} is too old: Longhaul needs ${engines.slice(2)} or newer; upgrade Node, then try again\n`;
    expect(runOn(engines)).toEqual({ status: 1, stdout: "", stderr });
  });

  it("rejects an unknown range", () => {
    expect(() => startFile("^22")).toThrow("engines.node: ^22 is not >=major.minor");
  });
});
