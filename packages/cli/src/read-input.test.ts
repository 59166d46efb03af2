import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readInput, reasonOf } from "./read-input.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("readInput", () => {
  it("reads a log of any format", () => {
    const file = join(folder, "chat.json");
    writeFileSync(file, '[{"role":"user","content":"Hi."}]');
    expect(readInput(file).reading.format).toBe("anthropic-messages");
  });

  it("reads a long file by its lines, and one that is a single document as a whole", () => {
    const [lines, document] = [join(folder, "long.jsonl"), join(folder, "long.json")];
    writeFileSync(lines, '{"type":"user","uuid":"u","message":{"role":"user","content":"Hi."}}\n{');
    writeFileSync(document, '[\n{"role":"user","content":"Hi."}\n]');
    expect(readInput(lines, "long.jsonl", 0).reading).toEqual(readInput(lines).reading);
    expect(readInput(document, "long.json", 0).reading).toEqual(readInput(document).reading);
  });

  it("says which file it can't read and why", () => {
    const diary = join(folder, "diary.txt");
    writeFileSync(diary, "Dear log");
    expect(() => readInput(diary)).toThrow(/diary\.txt: The text is not a session log/);
    expect(() => readInput(join(folder, "none.json"))).toThrow(/none\.json cannot be read: there is no such file/);
    expect(() => readInput(folder)).toThrow(/it is a folder/);
  });
});

it("passes on reasons that it has no words for", () => {
  expect([reasonOf(new Error("odd")), reasonOf("odder")]).toEqual(["odd", "odder"]);
});
