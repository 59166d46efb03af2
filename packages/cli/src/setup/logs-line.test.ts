import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { findClients } from "./detect.ts";
import { describeLogs } from "./logs-line.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-logs-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Writes logs of Claude Code with one request each, and returns the line about them. */
async function lineOf(names: readonly string[]): Promise<string> {
  const home = mkdtempSync(join(root, "h"));
  const folder = join(home, ".claude", "projects", "p");
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, `${name}.jsonl`), logOf(name));
  const terminal = makeTerminal(home, { PATH: "" });
  return describeLogs(findClients(terminal), terminal);
}

function logOf(sessionId: string): string {
  const text = "word ".repeat(800);
  const usage = {
    input_tokens: 100_000,
    output_tokens: 500,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  const reply = { id: "m", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "text", text }], usage };
  const messages = [
    { type: "user", uuid: "u0", parentUuid: null, message: { role: "user", content: text } },
    { type: "assistant", uuid: "u1", parentUuid: "u0", message: reply },
  ];
  const timestamp = "2026-01-01T00:00:00Z";
  return messages.map((each) => `${JSON.stringify({ sessionId, timestamp, ...each })}\n`).join("");
}

it("says what the newest session cost, and what the default strategy would have saved", async () => {
  expect(await lineOf(["a"])).toMatch(
    /^Your newest session cost \$0\.\d+ at list prices; it fits the window and repeats little, so `smart` would not have changed it\. Details: `longhaul analyze`\n$/,
  );
});

it("uses the plural for several sessions", async () => {
  expect(await lineOf(["a", "b"])).toMatch(
    /^Your 2 newest sessions cost \$0\.\d+ at list prices; they fit the window and repeat little, so `smart` would not have changed them\./,
  );
});

it("is empty without logs", async () => {
  expect(await lineOf([])).toBe("");
});
