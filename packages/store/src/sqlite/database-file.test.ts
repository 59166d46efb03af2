import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeDatabaseFile } from "./database-file.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("makeDatabaseFile", () => {
  it("makes an empty file for its owner alone, whatever the folder's own permissions are", () => {
    const path = join(folder, "made", "store.db");
    makeDatabaseFile(path);
    expect(readFileSync(path, "utf8")).toBe("");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "made")).mode & 0o777).toBe(0o700);
  });

  it("leaves a file that is there as it is", () => {
    const path = join(folder, "there.db");
    writeFileSync(path, "content", { mode: 0o640 });
    makeDatabaseFile(path);
    expect(readFileSync(path, "utf8")).toBe("content");
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("says which file could not be made, and why", () => {
    writeFileSync(join(folder, "file"), "");
    const path = join(folder, "file", "inside", "store.db");
    expect(() => makeDatabaseFile(path)).toThrow(/file.inside.store\.db cannot be created: .*file is not a folder;/);
    expect(() => makeDatabaseFile(folder)).toThrow(/cannot be created: it is not a file;/);
  });

  it.runIf(process.platform === "linux")("fails at once in a folder that takes no folders", () => {
    expect(() => makeDatabaseFile("/proc/none/inside/store.db")).toThrow(/cannot be created: E(?:NOENT|ACCES)/);
  });
});
