import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findLogs } from "./find-logs.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const path of ["logs/deep", "logs/node_modules"]) mkdirSync(join(folder, path), { recursive: true });
for (const path of [
  "logs/b.json",
  "logs/a.JSONL",
  "logs/deep/c.jsonl",
  "logs/notes.md",
  "logs/node_modules/d.json",
  "odd.log",
]) {
  writeFileSync(join(folder, path), "{}");
}

const namesIn = (...paths: string[]) =>
  findLogs(paths, { folder }).map(({ name, isNamed }) => `${name}${isNamed ? "!" : ""}`);

describe("findLogs", () => {
  it("finds the logs in a folder and below, in order", () => {
    expect(namesIn("logs")).toEqual(["logs/a.JSONL", "logs/b.json", "logs/deep/c.jsonl"]);
  });

  it("takes a file that is named whatever it is called, and none twice", () => {
    expect(namesIn("odd.log", "logs/b.json", "logs")).toEqual([
      "odd.log!",
      "logs/b.json!",
      "logs/a.JSONL",
      "logs/deep/c.jsonl",
    ]);
  });

  it("says which path there is not", () => {
    expect(() => findLogs(["nowhere"], { folder })).toThrow("nowhere cannot be read: there is no such file");
  });

  it.skipIf(process.getuid?.() === 0)(
    "says which folder it may not look into (root, whom no permission stops, cannot tell)",
    () => {
      const locked = join(folder, "locked", "inner");
      mkdirSync(locked, { recursive: true, mode: 0o700 });
      chmodSync(locked, 0);
      expect(() => namesIn("locked")).toThrow("locked/inner cannot be read: its permissions do not allow it");
      chmodSync(locked, 0o700);
    },
  );
});
