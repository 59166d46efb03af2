import { expect, it } from "vitest";
import { CLIENTS } from "./clients.ts";
import { fillText, fillValue } from "./fill.ts";
import { planWrite } from "./settings-file.ts";

const placeholders = { url: "http://127.0.0.1:4141", model: "claude-sonnet-4-5", key: "lh_key" };

it("lists every client once", () => {
  const ids = CLIENTS.map(({ id }) => id);
  expect(ids).toEqual(
    expect.arrayContaining([
      ...["claude-code", "codex", "opencode", "gemini-cli", "cline", "continue", "qwen-code", "copilot-cli"],
      ...["zoo-code", "cursor", "anthropic-sdk", "openai-sdk", "google-sdk", "ai-sdk", "langchain"],
    ]),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

it.each(CLIENTS.map((client) => [client.id, client] as const))(
  "fills in every placeholder of %s, which has at least one way to connect",
  (_, client) => {
    const { files = [], environment = {}, runEnvironment = {}, steps = [], args = [], notes = [] } = client;
    const texts = [...Object.values(environment), ...Object.values(runEnvironment), ...steps, ...args, ...notes];
    const values = files.flatMap(({ settings }) =>
      settings.map(({ value }) => JSON.stringify(fillValue(value, placeholders))),
    );
    const filled = [...texts.map((text) => fillText(text, placeholders)), ...values];
    expect(filled.filter((text) => /\{(url|key|anyKey|model)\}/.test(text ?? ""))).toEqual([]);
    expect(filled.join("\n")).toContain("127.0.0.1:4141");
  },
);

it("passes valid JSON to opencode", () => {
  const text = CLIENTS.find(({ id }) => id === "opencode")?.runEnvironment?.OPENCODE_CONFIG_CONTENT ?? "";
  expect(JSON.parse(fillText(text, placeholders) ?? "")).toMatchObject({
    provider: { anthropic: { options: { baseURL: "http://127.0.0.1:4141/v1", apiKey: "lh_key" } } },
  });
});

it("never writes to a project's settings", () => {
  const folders = CLIENTS.flatMap(({ files = [] }) => files.map(({ folder }) => folder));
  expect(folders.filter((folder) => !folder.startsWith("~/"))).toEqual([]);
  const claude = CLIENTS[0]?.files?.[0];
  expect(claude && planWrite(claude, placeholders, { environment: { HOME: "/nobody" } }).path).toBe(
    "/nobody/.claude/settings.json",
  );
});
