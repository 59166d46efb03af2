import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readInput } from "./read-input.ts";
import { userFile } from "./user-file.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const named = (name: string) => userFile(name, { folder });

describe("readInput", () => {
  it("reads a log of any format", () => {
    const file = named("chat.json");
    writeFileSync(file.path, '[{"role":"user","content":"Hi."}]');
    expect(readInput(file).reading.format).toBe("anthropic-messages");
  });

  it("reads a long file by its lines, and one that is a single document as a whole", () => {
    const [lines, document] = [named("long.jsonl"), named("long.json")];
    writeFileSync(lines.path, '{"type":"user","uuid":"u","message":{"role":"user","content":"Hi."}}\n{');
    writeFileSync(document.path, '[\n{"role":"user","content":"Hi."}\n]');
    expect(readInput(lines, 0).reading).toEqual(readInput(lines).reading);
    expect(readInput(document, 0).reading).toEqual(readInput(document).reading);
  });

  it("reads standard input where the file is called -", () => {
    const script = `import { readInput } from ${JSON.stringify(import.meta.resolve("./read-input.ts"))};
      process.stdout.write(readInput({ path: "/nowhere/-", name: "-" }).reading.format);`;
    const args = ["--input-type=module", "--eval", script];
    const input = '[{"role":"user","content":"Hi."}]';
    expect(spawnSync(process.execPath, args, { input, encoding: "utf8" }).stdout).toBe("anthropic-messages");
  });

  it("says which file it can't read and why", () => {
    const diary = named("diary.txt");
    writeFileSync(diary.path, "Dear log");
    expect(() => readInput(diary)).toThrow(/^diary\.txt: The text is not a session log/);
    expect(() => readInput(named("none.json"))).toThrow(/^none\.json cannot be read: there is no such file/);
    expect(() => readInput(named("."))).toThrow(/it is a folder/);
  });
});
