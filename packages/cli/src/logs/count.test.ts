import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeSession } from "../testing/logs.ts";
import { runLogCommand } from "../testing/run-log-command.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("longhaul count", () => {
  it("prints the number of tokens by type", async () => {
    writeSession(folder, 2);
    const terminal = makeTerminal(folder);
    expect(await runLogCommand(["count", "session.jsonl"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/^session\.jsonl: claude-code, 8 messages, claude-sonnet-4-5\nTokens +[\d,]+/);
    expect(terminal.output()).toMatch(/tool results +[\d,]+ +\d+%/);
    expect(terminal.output()).toContain("reported in the log: 3,810 tokens");
  });

  it("reports an invalid line with its number and counts the others", async () => {
    const file = writeSession(folder, 2, "broken.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n{"type":"user","mess`);
    const terminal = makeTerminal(folder);
    expect(await runLogCommand(["count", "broken.jsonl"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/^broken\.jsonl: claude-code, 8 messages/);
    expect(terminal.errors()).toMatch(
      /^warning: line 9: the line of \d+ characters was skipped: it is not valid JSON\n$/,
    );
  });

  it("prints JSON whose parts sum up to the total", async () => {
    writeFileSync(
      join(folder, "chat.json"),
      '[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi."},5]',
    );
    const terminal = makeTerminal(folder);
    expect(await runLogCommand(["count", "chat.json", "--model", "gpt-4o", "--json"], terminal)).toBe(0);
    const counted = JSON.parse(terminal.output());
    expect(counted).toMatchObject({ format: "openai-chat", model: "gpt-4o", tokenizer: "o200k", messages: 1 });
    const parts: number[] = Object.values(counted.parts);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(counted.tokens);
    expect(counted.warnings).toEqual([expect.stringContaining("line 3")]);
    expect(counted.longestReportedPrompt).toBeNull();
  });

  it("uses the singular for one message", async () => {
    writeFileSync(join(folder, "one.json"), '[{"role":"user","content":"Hi."}]');
    const terminal = makeTerminal(folder);
    expect(await runLogCommand(["count", "one.json", "--model", "gpt-4o"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/^one\.json: [\w-]+, 1 message, /);
  });
});
