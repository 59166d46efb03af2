import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { installedAtMs, readVersion } from "./version.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("is the one in the package's own manifest", () => {
  expect(readVersion()).toMatch(/^\d+\.\d+\.\d+$/);
});

it("is missed where a manifest names none", () => {
  const manifest = join(folder, "package.json");
  writeFileSync(manifest, "{}");
  expect(() => readVersion(pathToFileURL(manifest))).toThrow("names no version");
});

it("was put there before now", () => {
  expect(installedAtMs()).toBeLessThanOrEqual(Date.now());
});
