import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { dashboardFolder, installedAtMs, readVersion } from "./program-files.ts";

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

describe("dashboardFolder", () => {
  it("is the first place with the page in it", () => {
    const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
    const places = [join(folder, "nowhere"), folder];
    expect(dashboardFolder(places)).toBeUndefined();
    writeFileSync(join(folder, "index.html"), "");
    expect(dashboardFolder(places)).toBe(folder);
    rmSync(folder, { recursive: true });
  });
});
