import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTerminal } from "../testing/terminal.ts";
import { describeClient } from "./describe-client.ts";
import { findClient } from "./find-client.ts";

const terminal = makeTerminal(join(tmpdir(), "nobody"));
const filling = { url: "http://127.0.0.1:4141", model: "claude-sonnet-4-5", key: "lh_1" };

it("prints files, variables and notes", () => {
  const text = describeClient(findClient("claude-code"), filling, terminal);
  expect(text).toContain('.claude/settings.json:\n{\n  "env": {\n    "ANTHROPIC_BASE_URL": "http://127.0.0.1:4141",');
  expect(text).toContain("export ANTHROPIC_BASE_URL=http://127.0.0.1:4141\nexport ANTHROPIC_AUTH_TOKEN=lh_1\n");
  expect(text).toContain("longhaul run claude-code");
});

it("prints what is done by hand", () => {
  const text = describeClient(findClient("cline"), filling, terminal);
  expect(text).toContain("cline auth -p openai-compatible -k lh_1 -m claude-sonnet-4-5 -b http://127.0.0.1:4141/v1");
  expect(text).not.toContain("--write");
});

it("quotes what a shell would take apart", () => {
  const text = describeClient(findClient("copilot-cli"), { ...filling, key: "a b" }, terminal);
  expect(text).toContain("export COPILOT_PROVIDER_API_KEY='a b'");
});
