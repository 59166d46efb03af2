import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { dashboardFolder, installedAtMs, readVersion } from "./program-files.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("returns the version in the package's manifest", () => {
  expect(readVersion()).toMatch(/^\d+\.\d+\.\d+$/);
});

it("throws if the manifest has no version", () => {
  const manifest = join(folder, "package.json");
  writeFileSync(manifest, "{}");
  expect(() => readVersion(pathToFileURL(manifest))).toThrow("has no version");
});

it("returns an installation time in the past", () => {
  expect(installedAtMs()).toBeLessThanOrEqual(Date.now());
});

describe("dashboardFolder", () => {
  it("returns the first folder with an index.html", () => {
    const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
    const places = [join(folder, "nowhere"), folder];
    expect(dashboardFolder(places)).toBeUndefined();
    writeFileSync(join(folder, "index.html"), "");
    expect(dashboardFolder(places)).toBe(folder);
    rmSync(folder, { recursive: true });
  });
});
