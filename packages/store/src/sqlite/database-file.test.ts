import { closeSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileIdentity, makeDatabaseFile } from "./database-file.ts";

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

describe("fileIdentity", () => {
  it("stays the same while a file is written to, wherever it is moved", async () => {
    const [path, moved] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(path, "");
    const before = await fileIdentity(path);
    writeFileSync(path, "more");
    expect(await fileIdentity(path)).toBe(before);
    renameSync(path, moved);
    expect([await fileIdentity(path), await fileIdentity(moved)]).toEqual([undefined, before]);
  });

  it("is another one for a file that takes the place of one that is open", async () => {
    const path = join(folder, "c");
    writeFileSync(path, "");
    const open = openSync(path, "r");
    const before = await fileIdentity(path);
    rmSync(path);
    writeFileSync(path, "");
    expect(await fileIdentity(path)).not.toBe(before);
    closeSync(open);
  });

  it("is absent where a part of the path is no folder, and throws where it cannot be told", async () => {
    writeFileSync(join(folder, "file"), "");
    expect(await fileIdentity(join(folder, "file", "inside"))).toBeUndefined();
    await expect(fileIdentity(join(folder, "x".repeat(5_000)))).rejects.toThrow("ENAMETOOLONG");
  });
});
