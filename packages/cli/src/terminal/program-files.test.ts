import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { dashboardFolder, installedAtMs, programPath, readVersion } from "./program-files.ts";

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

describe("programPath", () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

  it("returns the path of the program in a clone, from the home folder on", () => {
    expect(programPath({ environment: { PATH: folder } })).toBe(`${root}/node_modules/.bin/longhaul`);
    const environment = { PATH: folder, HOME: root };
    expect(programPath({ environment })).toBe("~/node_modules/.bin/longhaul");
  });

  it("is undefined if a shell finds the program", () => {
    writeFileSync(join(folder, "longhaul"), "", { mode: 0o755 });
    expect(programPath({ environment: { PATH: folder } })).toBeUndefined();
  });
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
