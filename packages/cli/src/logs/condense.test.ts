import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textMessage } from "@longhaul/conversation";
import { openLog, readLog } from "@longhaul/logs";
import { afterAll, describe, expect, it } from "vitest";
import { writeSession } from "../testing/logs.ts";
import { runLogCommand } from "../testing/run-log-command.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { encodeMessages } from "./condense.ts";
import { openModels } from "./read-session.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeSession(folder, 12);

async function condense(...args: readonly string[]) {
  const terminal = makeTerminal(folder);
  const code = await runLogCommand(["condense", ...args], terminal);
  return { code, output: terminal.output(), errors: terminal.errors() };
}

const FIELDS = [
  ...["file", "format", "model", "strategy", "tokensBefore", "tokensAfter", "fits", "costUsd", "savedPerCallUsd"],
  ...["milliseconds", "unused", "passes", "fallbacks", "warnings", "messages"],
];

describe("longhaul condense", () => {
  it("prints the result of every pass", async () => {
    const { code, output } = await condense("session.jsonl", "--strategy", "middle-out", "--budget", "8k");
    expect(code).toBe(0);
    expect(output).toMatch(/^Context condensed using Middle-out strategy:\n - .+: [\d,]+ → [\d,]+ tokens \(-\d+%\)/);
    expect(output).toMatch(
      / - Total reduction: \d+% \(saves \$0\.\d+ per call from a warm cache\)\n - Time: \d+\.\d seconds\n/,
    );
  });

  it.each(["truncation", "native"])("says that nothing was condensed if the conversation fits %s", async (strategy) => {
    const { code, output } = await condense("session.jsonl", "--strategy", strategy, "--window", "1m");
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Nothing was condensed: the conversation fits, with [\d,]+ tokens in \d+ messages\.\n$/),
    ]);
  });

  it.each(["lossless", "native", "smart", "truncation", "sandwich", "tree-summary"])(
    "fits a conversation into a budget with %s",
    async (strategy) => {
      const { output } = await condense("session.jsonl", "--strategy", strategy, "--budget", "9000", "--json");
      const result = JSON.parse(output);
      expect(Object.keys(result)).toEqual(FIELDS);
      expect(result).toMatchObject({ strategy, format: "claude-code", model: "claude-sonnet-4-5", fits: true });
      expect(result.tokensBefore).toBeGreaterThan(15_000);
      expect(result.tokensAfter).toBeLessThanOrEqual(9_000);
      expect(result.messages[0].role).toBe("user");
    },
  );

  it("prints the condensed conversation as the model reads it", async () => {
    const { code, output } = await condense("session.jsonl", "--strategy", "smart", "--budget", "50%", "--print");
    expect(code).toBe(0);
    expect(output).toMatch(/^\[(?:system|user)\]\n/);
    expect(output).toContain("\n[assistant]\n");
    expect(output).not.toContain("Total reduction");
  });

  it("accepts a budget as a percentage of the conversation", async () => {
    const { output } = await condense("session.jsonl", "--strategy", "truncation", "--budget", "25%", "--json");
    const { tokensBefore, tokensAfter } = JSON.parse(output);
    expect(tokensAfter).toBeLessThanOrEqual(tokensBefore / 4);
    const { code, errors } = await condense("session.jsonl", "--strategy", "smart", "--budget", "120%");
    expect([code, errors.includes("up to 100%")]).toEqual([2, true]);
  });

  it("leaves room for a reply in a window, but not in a budget", async () => {
    const fits = async (...limit: string[]) => {
      const { output } = await condense("session.jsonl", "--strategy", "full-history", ...limit, "--json");
      return JSON.parse(output);
    };
    const { tokensBefore } = await fits("--budget", "1m");
    const tight = String(Math.ceil(tokensBefore * 1.1));
    expect([(await fits("--budget", tight)).fits, (await fits("--window", tight)).fits]).toEqual([true, false]);
    expect((await fits("--window", String(tokensBefore * 2))).fits).toBe(true);
  });

  it("writes the result in the input's format", async () => {
    const { code, output } = await condense(
      "session.jsonl",
      "--strategy",
      "native",
      "--window",
      "16k",
      "--out",
      "out.jsonl",
    );
    expect([code, output.includes("Written to out.jsonl.")]).toEqual([0, true]);
    const written = readLog(readFileSync(join(folder, "out.jsonl"), "utf8"));
    expect([written.format, written.warnings]).toEqual(["claude-code", []]);
    expect(written.conversation.messages.length).toBeLessThan(48);
  });

  it("keeps the fields of plain JSON other than the messages", async () => {
    writeFileSync(
      join(folder, "chat.json"),
      '{"model":"gpt-4o","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi."}]}',
    );
    const { output } = await condense("chat.json", "--strategy", "lossless", "--json");
    expect(JSON.parse(output).messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi." },
    ]);
  });

  it("warns about content that Anthropic messages cannot express", async () => {
    const items = [
      { role: "user", content: "Hi." },
      { type: "reasoning", summary: [], encrypted_content: "AAAA" },
      { role: "assistant", content: "Hello." },
    ];
    const lines = items.map((payload) => JSON.stringify({ type: "response_item", payload }));
    writeFileSync(join(folder, "codex.jsonl"), lines.join("\n"));
    const { output } = await condense("codex.jsonl", "--strategy", "native", "--budget", "9k", "--json");
    expect(JSON.parse(output).warnings).toContainEqual("anthropic cannot read reasoning from openai");
  });

  it("reads the strategy's settings from a file, alone or in a gateway configuration", async () => {
    writeFileSync(join(folder, "own.yaml"), "preserveTop: some\n");
    writeFileSync(join(folder, "gateway.yaml"), "context:\n  strategies:\n    sandwich: { preserveTop: some }\n");
    for (const file of ["own.yaml", "gateway.yaml"]) {
      const result = await condense("session.jsonl", "--strategy", "sandwich", "--budget", "9k", "--config", file);
      expect([result.code, result.errors]).toEqual([1, expect.stringContaining("preserveTop")]);
    }
    const other = await condense("session.jsonl", "--strategy", "native", "--budget", "9k", "--config", "gateway.yaml");
    expect(other.code).toBe(0);
  });

  it("reports an invalid line with its number and continues", async () => {
    const text = readFileSync(join(folder, "session.jsonl"), "utf8").split("\n");
    writeFileSync(join(folder, "broken.jsonl"), text.toSpliced(5, 0, '{"type":').join("\n"));
    const { code, errors } = await condense("broken.jsonl", "--strategy", "middle-out", "--budget", "9k");
    expect(code).toBe(0);
    expect(errors).toContain("warning: line 6: the line of 8 characters was skipped: it is not valid JSON");
  });

  it("prints a warning of the report once", async () => {
    const messages = [{ role: "user", content: "word ".repeat(500) }];
    writeFileSync(join(folder, "short.json"), JSON.stringify({ model: "gpt-4o", messages }));
    const { output, errors } = await condense("short.json", "--strategy", "native", "--window", "1k");
    expect(output).toContain(" - Warning: Summarize failed: Not enough messages");
    expect(errors).toBe("");
  });

  it.each([
    ["--budget", "1k", "1,000"],
    ["--window", "50", "0"],
  ])("warns if the result does not fit into %s %s", async (flag, tokens, limit) => {
    const { code, errors } = await condense("session.jsonl", "--strategy", "full-history", flag, tokens);
    expect(code).toBe(0);
    expect(errors).toMatch(new RegExp(`the request has [\\d,]+ tokens, [\\d,]+ over the limit of ${limit}\n`));
  });

  it.each([
    [2, "Allowed choices are", ["session.jsonl", "--strategy", "magic"]],
    [1, "no such file", ["none.jsonl", "--strategy", "native"]],
    [1, "would overwrite the input", ["session.jsonl", "--strategy", "native", "--out", "./session.jsonl"]],
    [1, "cannot read none.yaml", ["session.jsonl", "--strategy", "native", "--config", "none.yaml"]],
    [1, "cannot write none/there.jsonl", ["session.jsonl", "--strategy", "middle-out", "--out", "none/there.jsonl"]],
    [1, "--budget or --window", ["nameless.json", "--strategy", "native"]],
    [2, "Expected a number of tokens", ["session.jsonl", "--strategy", "native", "--budget", "lots"]],
    [2, "cannot be used with", ["session.jsonl", "--strategy", "native", "--budget", "1k", "--window", "2k"]],
    [2, "required option", ["session.jsonl"]],
  ])("exits with %d and prints %j, without a stack trace, for %j", async (code, reason, args) => {
    writeFileSync(join(folder, "nameless.json"), '[{"role":"user","content":"Hi."}]');
    const result = await condense(...args);
    expect([result.code, result.errors]).toEqual([code, expect.stringContaining(reason)]);
    expect(result.errors).not.toMatch(/\n\s+at /);
  });
});

describe("encodeMessages", () => {
  const { modelOf } = openModels();
  const messages = [textMessage("user", "Hello.")];

  async function encode(text: string) {
    const opened = openLog(text);
    return encodeMessages(opened, { ...opened.reading.conversation, messages }, await modelOf(opened.reading));
  }

  it.each([
    ['[{"role":"user","content":"Hi."}]', [{ role: "user", content: [{ type: "text", text: "Hello." }] }]],
    ['{"input":"Hi."}', [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hello." }] }]],
    ['{"contents":[{"parts":[{"text":"Hi."}]}]}', [{ role: "user", parts: [{ text: "Hello." }] }]],
    ['{"history":[{"parts":[{"text":"Hi."}]}]}', [{ role: "user", parts: [{ text: "Hello." }] }]],
  ])("encodes the messages of %s in its own format", async (text, expected) => {
    expect(await encode(text)).toEqual({ messages: expected, warnings: [] });
  });

  it("encodes a log as Anthropic messages with a separate system prompt", async () => {
    const session = { type: "session_meta", payload: { id: "s", base_instructions: { text: "Be brief." } } };
    const item = { type: "response_item", payload: { role: "user", content: "Hi." } };
    const encoded = await encode(`${JSON.stringify(session)}\n${JSON.stringify(item)}`);
    expect(encoded.messages).toEqual([{ role: "user", content: [{ type: "text", text: "Hello." }] }]);
    expect(JSON.stringify(encoded.system)).toContain("Be brief.");
  });
});
