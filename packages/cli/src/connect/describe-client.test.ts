import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { argumentClient } from "../commands/clients.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { describeClient, shortLines } from "./describe-client.ts";

const terminal = makeTerminal(join(tmpdir(), "nobody"));
const placeholders = { url: "http://127.0.0.1:4141", model: "claude-sonnet-4-5", key: "lh_1" };

it("prints files, variables and notes", () => {
  const text = describeClient(argumentClient("claude-code"), placeholders, terminal);
  expect(text).toContain('.claude/settings.json:\n{\n  "env": {\n    "ANTHROPIC_BASE_URL": "http://127.0.0.1:4141",');
  expect(text).toContain("export ANTHROPIC_BASE_URL=http://127.0.0.1:4141\nexport ANTHROPIC_AUTH_TOKEN=lh_1\n");
  expect(text).toContain("longhaul run claude-code");
});

it("prints how to start a client", () => {
  const text = describeClient(argumentClient("aider"), placeholders, terminal);
  expect(text).toContain("export OPENAI_API_KEY=lh_1\naider --model openai/claude-sonnet-4-5\n");
});

it("prints manual steps", () => {
  const text = describeClient(argumentClient("cline"), placeholders, terminal);
  expect(text).toContain("cline auth -p openai-compatible -k lh_1 -m claude-sonnet-4-5 -b http://127.0.0.1:4141/v1");
  expect(text).not.toContain("--write");
});

it("quotes values that a shell would split", () => {
  const text = describeClient(argumentClient("copilot-cli"), { ...placeholders, key: "a b" }, terminal);
  expect(text).toContain("export COPILOT_PROVIDER_API_KEY='a b'");
});

it.each([
  [
    "aider",
    "in a shell",
    "export OPENAI_API_BASE=http://127.0.0.1:4141/v1\nexport OPENAI_API_KEY=lh_1\naider --model openai/claude-sonnet-4-5",
  ],
  ["codex", "~/.codex/config.toml", 'model_provider = "longhaul"\n\n[model_providers.longhaul]\nname = "Longhaul"'],
  ["cline", "manual", "cline auth -p openai-compatible -k lh_1"],
  ["kilo-code", "in a shell", "export KILO_CONFIG_CONTENT='{"],
])("returns the shortest way for %s: %s", (id, where, start) => {
  const short = shortLines(argumentClient(id), placeholders);
  expect(short.where).toBe(where);
  expect(short.lines.startsWith(start)).toBe(true);
});
