import { expect, it } from "vitest";
import { clientOf } from "./client.ts";

it.each([
  ["claude-cli/2.1.139 (external, cli)", "Claude Code", "2.1.139"],
  ["codex_cli_rs/0.166.0 (Ubuntu 24.4.0; x86_64) xterm", "Codex", "0.166.0"],
  ["opencode/1.3.0 ai-sdk/provider-utils/3.0.17 runtime/bun/1.3.3", "opencode", "1.3.0"],
  ["ai-sdk/openai/2.0 opencode/1.3.0", "opencode", "1.3.0"],
  ["GeminiCLI-tui/0.9.0/gemini-3-pro (linux; x64)", "Gemini CLI", "0.9.0"],
  ["OpenAI/JS 6.1.0", "OpenAI SDK (JS)", "6.1.0"],
  ["Anthropic/Python 1.8.0", "Anthropic SDK (Python)", "1.8.0"],
  ["python-httpx/0.27.0", "python-httpx", "0.27.0"],
  ["curl/8.5.0", "curl", "8.5.0"],
  ["", "", ""],
  ["something else", "", ""],
])("reads %s", (agent, name, version) => {
  expect(clientOf(agent)).toEqual({ name, version });
});
