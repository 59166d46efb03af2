import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { watchFile } from "./watch-file.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
let made = 0;

function makeFolder(): string {
  const folder = join(root, `f${made++}`);
  mkdirSync(folder);
  return folder;
}

/** Watches a file and counts its changes. */
function follow(file: string) {
  const counts = { changes: 0, failures: 0 };
  const { close } = watchFile(file, { changed: () => counts.changes++, failed: () => counts.failures++ });
  closers.push(close);
  return counts;
}

describe("watchFile", () => {
  it("reports a file that is created, written, replaced or removed", async () => {
    const folder = makeFolder();
    const file = join(folder, "x.yaml");
    const counts = follow(file);
    writeFileSync(file, "made");
    await expect.poll(() => counts.changes).toBe(1);
    writeFileSync(file, "written");
    await expect.poll(() => counts.changes).toBe(2);
    writeFileSync(join(folder, "x.yaml~"), "replaced");
    renameSync(join(folder, "x.yaml~"), file);
    await expect.poll(() => counts.changes).toBe(3);
    rmSync(file);
    await expect.poll(() => counts.changes).toBe(4);
  });

  it("follows links, in whichever folder they change", async () => {
    const [folder, first, second] = [makeFolder(), makeFolder(), makeFolder()];
    for (const target of [first, second]) writeFileSync(join(target, "x.yaml"), target);
    symlinkSync(first, join(folder, "data"));
    symlinkSync(join("data", "x.yaml"), join(folder, "x.yaml"));
    const counts = follow(join(folder, "x.yaml"));
    writeFileSync(join(first, "x.yaml"), "written");
    await expect.poll(() => counts.changes).toBe(1);
    symlinkSync(second, join(folder, "other"));
    renameSync(join(folder, "other"), join(folder, "data"));
    await expect.poll(() => counts.changes).toBe(2);
  });

  it("ignores other files and unchanged content in a busy folder", async () => {
    const folder = makeFolder();
    const file = join(folder, "x.yaml");
    writeFileSync(file, "same");
    const counts = follow(file);
    const busy = setInterval(() => writeFileSync(join(folder, "log"), "line\n", { flag: "a" }), 5);
    closers.push(() => clearInterval(busy));
    writeFileSync(file, "same");
    const marker = follow(join(folder, "marker"));
    writeFileSync(join(folder, "marker"), "later");
    await expect.poll(() => marker.changes).toBe(1);
    expect(counts.changes).toBe(0);
    writeFileSync(file, "other");
    await expect.poll(() => counts.changes).toBe(1);
  });

  it("reports a failure if the folder does not exist", () => {
    expect(follow(join(root, "nowhere", "x.yaml"))).toEqual({ changes: 0, failures: 1 });
  });
});
