import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeSession } from "../testing/logs.ts";
import { runLogCommand } from "../testing/run-log-command.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { findLogs } from "./analyze.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "logs"));
writeSession(join(folder, "logs"), 8, "a.jsonl");
writeFileSync(join(folder, "logs", "package.json"), '{"name":"no log"}');
writeFileSync(
  join(folder, "logs", "chat.json"),
  '[{"role":"user","content":"Hi."},{"role":"assistant","content":"Hello."}]',
);

async function analyze(...args: readonly string[]) {
  const terminal = makeTerminal(folder);
  const code = await runLogCommand(["analyze", ...args], terminal);
  return { code, output: terminal.output(), errors: terminal.errors() };
}

describe("longhaul analyze", () => {
  it("analyzes every log in a folder and skips other files", async () => {
    const { code, output, errors } = await analyze("logs", "--details");
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toMatch(/logs\/a\.jsonl +32 +16 /);
    expect(output).toContain("Total of 2 sessions");
    expect(output).toContain("Skipped 1 file in these folders: not session logs.");
  });

  it("analyzes the logs of the clients on this machine if no path is given", async () => {
    const none = await analyze();
    expect([none.code, none.errors]).toEqual([1, expect.stringContaining("found no logs of Claude Code, Codex or")]);
    const logs = join(folder, ".claude", "projects", "shop");
    mkdirSync(logs, { recursive: true });
    writeSession(logs, 8, "a.jsonl");
    const { code, output } = await analyze();
    rmSync(join(folder, ".claude"), { recursive: true });
    expect([code, output]).toEqual([0, expect.stringContaining("1 session")]);
  });

  it("prints JSON whose figures match the log", async () => {
    const { output } = await analyze(
      "logs",
      "--json",
      "--strategies",
      "middle-out,lossless",
      "--window",
      "9k",
      "--model",
      "gpt-4o",
    );
    const { sessions, totals, skipped } = JSON.parse(output);
    expect(sessions[0].recorded.usage).toEqual({
      inputTokens: 160,
      cacheReadTokens: 2 * 1_900 * 28,
      cacheWriteTokens: 16 * 1_900,
      outputTokens: 640,
    });
    expect(sessions[0].strategies.map(({ strategy }: { strategy: string }) => strategy)).toEqual([
      "lossless",
      "middle-out",
    ]);
    expect([sessions[0].windowTokens, sessions[0].model, sessions[1].model]).toEqual([
      9_000,
      "claude-sonnet-4-5",
      "gpt-4o",
    ]);
    expect([totals.sessions, skipped.length]).toEqual([2, 1]);
  });

  it("writes an HTML report without external resources", async () => {
    const { code, output } = await analyze("logs/a.jsonl", "--html", "report.html");
    expect([code, output.includes("Report written to report.html.")]).toEqual([0, true]);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("<svg");
  });

  it("warns about a named file that is not a log and analyzes the others", async () => {
    const { code, errors } = await analyze("logs/a.jsonl", "logs/package.json");
    expect([code, errors]).toEqual([0, expect.stringContaining("logs/package.json")]);
  });

  it.each([
    [1, "nothing to analyze", ["logs/package.json"]],
    [1, "no .json or .jsonl file in empty", ["empty"]],
    [1, "no such file", ["nowhere"]],
    [1, "cannot write nowhere/report.html", ["logs/a.jsonl", "--html", "nowhere/report.html"]],
    [2, 'Unknown strategy "magic"', ["logs", "--strategies", "magic"]],
  ])("exits with %d and prints %j for %j", async (code, reason, args) => {
    mkdirSync(join(folder, "empty"), { recursive: true });
    const result = await analyze(...args);
    expect([result.code, result.errors]).toEqual([code, expect.stringContaining(reason)]);
  });
});

const tree = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(tree, { recursive: true }));
for (const path of ["logs/deep", "logs/node_modules"]) mkdirSync(join(tree, path), { recursive: true });
for (const path of [
  "logs/b.json",
  "logs/a.JSONL",
  "logs/deep/c.jsonl",
  "logs/notes.md",
  "logs/node_modules/d.json",
  "odd.log",
]) {
  writeFileSync(join(tree, path), "{}");
}

const namesIn = (...paths: string[]) =>
  findLogs(paths, { folder: tree }).map(({ name, isNamed }) => `${name}${isNamed ? "!" : ""}`);

describe("findLogs", () => {
  it("finds the logs in a folder and its subfolders, in order", () => {
    expect(namesIn("logs")).toEqual(["logs/a.JSONL", "logs/b.json", "logs/deep/c.jsonl"]);
  });

  it("accepts any name for a named file, and lists no file twice", () => {
    expect(namesIn("odd.log", "logs/b.json", "logs")).toEqual([
      "odd.log!",
      "logs/b.json!",
      "logs/a.JSONL",
      "logs/deep/c.jsonl",
    ]);
  });

  it("names a path that does not exist", () => {
    expect(() => findLogs(["nowhere"], { folder: tree })).toThrow("cannot read nowhere: no such file");
  });

  it.skipIf(process.getuid?.() === 0)("names a folder without read permission (skipped for root)", () => {
    const locked = join(tree, "locked", "inner");
    mkdirSync(locked, { recursive: true, mode: 0o700 });
    chmodSync(locked, 0);
    expect(() => namesIn("locked")).toThrow("cannot read locked/inner: permission denied");
    chmodSync(locked, 0o700);
  });
});
