import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { makeTerminal } from "../testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = "sk-very-secret-0123456789";

const FILES: Readonly<Record<string, string>> = {
  ".env": `OPENAI_API_KEY="${SECRET}"\nOPENAI_BASE_URL=https://openrouter.ai/api/v1\nBIG_MODEL=x/big\nSMALL_MODEL=x/small\nMAX_TOKENS_LIMIT=4096\n`,
  "config.json": JSON.stringify({
    APIKEY: SECRET,
    Providers: [
      {
        name: "my deepseek",
        api_base_url: "https://api.deepseek.com/chat/completions",
        api_key: SECRET,
        models: ["v3"],
      },
    ],
    Router: { default: "my deepseek,v3", longContext: "my deepseek,v3" },
  }),
  "litellm.yaml": `model_list:\n  - model_name: gpt\n    litellm_params: { model: openai/gpt-4o, api_key: ${SECRET}, rpm: 5 }\n  - model_name: gpt\n    litellm_params: { model: anthropic/claude-sonnet-4-5, api_key: os.environ/CLAUDE }\n`,
  "portkey.json": JSON.stringify({
    strategy: { mode: "fallback" },
    targets: [
      { provider: "openai", api_key: SECRET, override_params: { model: "gpt-4o", temperature: 0 } },
      { provider: "groq", virtual_key: "v", override_params: { model: "llama" } },
    ],
  }),
};

/** Variables that a converted configuration refers to. */
function variablesOf(yaml: string): Record<string, string> {
  return Object.fromEntries([...yaml.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "set"]));
}

describe("import", () => {
  it.each(Object.entries(FILES))("converts %s to a valid configuration without its keys", async (name, text) => {
    writeFileSync(join(folder, name), text);
    const terminal = makeTerminal(folder);
    const out = `${name}.longhaul.yaml`;
    expect(await run(["import", name, "--out", out], terminal)).toBe(0);
    expect(terminal.output()).toContain(`Written to ${out}.`);
    const yaml = readFileSync(join(folder, out), "utf8");
    expect(yaml).not.toContain(SECRET);
    expect(terminal.errors()).toMatch(/^API keys are not copied\. Set \w+.*\nNot converted:\n {2}- /);
    expect(terminal.errors()).not.toContain(SECRET);
    const checking = makeTerminal(folder, variablesOf(yaml));
    expect([await run(["config", "check", join(folder, out)], checking), checking.errors()]).toEqual([0, ""]);
  });

  it("prints the configuration without --out, and that everything was converted", async () => {
    writeFileSync(join(folder, "plain.env"), "OPENAI_API_KEY=x\nBIG_MODEL=gpt-4o\n");
    const terminal = makeTerminal(folder);
    expect(await run(["import", "plain.env"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/^# Converted from claude-code-proxy.*upstreams:\n {2}openai:/s);
    expect(terminal.errors()).toContain("All settings of claude-code-proxy were converted.");
  });

  it("does not overwrite a file", async () => {
    writeFileSync(join(folder, "plain.env"), "OPENAI_API_KEY=x\n");
    writeFileSync(join(folder, "mine.yaml"), "mine");
    const terminal = makeTerminal(folder);
    expect(await run(["import", "plain.env", "--out", "mine.yaml"], terminal)).toBe(1);
    expect(terminal.errors()).toContain("mine.yaml already exists");
    expect(readFileSync(join(folder, "mine.yaml"), "utf8")).toBe("mine");
    expect(await run(["import", "plain.env", "--out", "no/such/folder.yaml"], terminal)).toBe(1);
    expect(existsSync(join(folder, "no"))).toBe(false);
  });

  it.each([
    ["nothing.json", undefined, "cannot read nothing.json: no such file"],
    ["other.json", '{"a":1}', "is not a configuration of claude-code-proxy"],
    ["broken.yaml", "a: [", "is not a configuration of claude-code-proxy"],
  ])("rejects %s", async (name, text, why) => {
    if (text !== undefined) writeFileSync(join(folder, name), text);
    const terminal = makeTerminal(folder);
    expect(await run(["import", name], terminal)).toBe(1);
    expect(terminal.errors()).toContain(why);
  });
});
