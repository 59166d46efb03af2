import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textMessage } from "@longhaul/conversation";
import type { LoggedCall, LogReading } from "@longhaul/logs";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { userFile } from "../terminal/user-file.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { linesIn, openModels, readInput, readLog } from "./read-session.ts";

const { modelOf } = openModels();

function makeReading(...models: readonly string[]): LogReading {
  const calls = models.map((model): LoggedCall => ({ model, outcome: "finished", prompt: { from: 0, to: 1 } }));
  const conversation = { system: [], tools: [], messages: [textMessage("user", "Hi.")] };
  return { format: "roo", conversation, calls, sideCalls: [], events: [], warnings: [] };
}

describe("modelOf", () => {
  it("uses the model of most calls, unless another one is requested", async () => {
    const reading = makeReading("gpt-4o", "claude-sonnet-4-5", "claude-sonnet-4-5");
    expect(await modelOf(reading)).toMatchObject({ name: "claude-sonnet-4-5", tokenizer: "claude" });
    expect(await modelOf(reading, "gpt-4o")).toMatchObject({ name: "gpt-4o", tokenizer: "o200k" });
  });

  it("uses the tokenizer of the log's format if no model is named, with a warning", async () => {
    const found = await modelOf(makeReading());
    expect(found.tokenizer).toBe("claude");
    expect(found.model).toBeUndefined();
    expect(found.warning).toContain("the session names no model");
  });

  it("warns about its assumptions for an unknown model", async () => {
    expect((await modelOf(makeReading("nobody-knows-1"))).warning).toContain("nobody-knows-1");
  });
});

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const named = (name: string) => userFile(name, { folder });

describe("readLog", () => {
  it("reads logs of any format", () => {
    const file = named("chat.json");
    writeFileSync(file.path, '[{"role":"user","content":"Hi."}]');
    expect(readLog(file).reading.format).toBe("anthropic-messages");
  });

  it("reads a long file line by line, and a single document as a whole", () => {
    const [lines, document] = [named("long.jsonl"), named("long.json")];
    writeFileSync(lines.path, '{"type":"user","uuid":"u","message":{"role":"user","content":"Hi."}}\n{');
    writeFileSync(document.path, '[\n{"role":"user","content":"Hi."}\n]');
    expect(readLog(lines, 0).reading).toEqual(readLog(lines).reading);
    expect(readLog(document, 0).reading).toEqual(readLog(document).reading);
  });

  it("names the file that it cannot read and the reason", () => {
    const diary = named("diary.txt");
    writeFileSync(diary.path, "Dear log");
    expect(() => readLog(diary)).toThrow(/^diary\.txt: the text is not a session log/);
    expect(() => readLog(named("none.json"))).toThrow(/^cannot read none\.json: no such file/);
    expect(() => readLog(named("."))).toThrow(/it is a folder/);
  });
});

describe("readInput", () => {
  const piped = (input: string) => makeTerminal(folder, {}, { input });

  it("reads standard input for -, otherwise the file", async () => {
    const chat = '[{"role":"user","content":"Hi."}]';
    expect((await readInput(named("-"), piped(chat))).reading.format).toBe("anthropic-messages");
    writeFileSync(named("named.json").path, chat);
    expect((await readInput(named("named.json"), piped("Dear log"))).reading.format).toBe("anthropic-messages");
  });

  it("rejects standard input that is not a log", async () => {
    await expect(readInput(named("-"), piped("Dear log"))).rejects.toThrow(/^-: the text is not a session log/);
  });
});

describe("linesIn", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "lines.txt");

  it("returns the lines of any text with any chunk size", () => {
    const unit = fc.constantFrom("a", "\n", "é", "世", "😀", "\r");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (text, chunkBytes) => {
        writeFileSync(file, text);
        expect([...linesIn(file, chunkBytes)]).toEqual(text.split("\n"));
      }),
    );
  });

  it("throws if there is no file", () => {
    expect(() => [...linesIn(join(folder, "none"))]).toThrow("ENOENT");
  });
});
