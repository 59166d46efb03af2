import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileIdentity } from "./file-identity.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

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
