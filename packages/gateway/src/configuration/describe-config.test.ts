import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { type Described, describeConfig } from "./describe-config.ts";

function describeFile(file: object, more: Partial<Described> = {}): string {
  const config = parseConfig(file, {});
  return describeConfig({ config, isContextDisabled: false, warnings: [], ...more });
}

const lineOf = (name: string, text: string) => text.split("\n").find((line) => line.startsWith(`${name}: `));

it("says where the models are, what goes there and who said so, and shows no credentials", () => {
  const file = {
    upstreams: {
      claude: { kind: "anthropic", apiKey: "hush-hush" },
      local: { kind: "openai-compatible", baseUrl: "http://user:hush-hush@127.0.0.1:8000/v1?token=hush-hush" },
    },
    routes: [
      { match: "claude-*haiku*", upstream: "local", model: "qwen3" },
      { match: "*", upstream: ["claude", "local"] },
    ],
    store: { path: "/data/longhaul.db" },
  };
  expect(describeFile(file, { file: "/etc/longhaul.yaml" })).toBe(
    [
      "Configured by /etc/longhaul.yaml.",
      "Upstreams: claude (anthropic), local (openai-compatible at 127.0.0.1:8000)",
      "Routes: claude-*haiku* → local as qwen3, * → claude, then local",
      "Context: on, middle-out",
      "Windows: as the catalog says",
      "Compaction: on, for models that have it: on demand, else at 150,000 tokens",
      "Store: /data/longhaul.db",
    ].join("\n"),
  );
});

it("says that some of it was stored", () => {
  expect(describeFile({}, { hasStored: true })).toMatch(/^Configured by the environment and what was stored\.$/m);
});

it("says what to do where nothing is configured", () => {
  const said = describeFile({}, { file: "/etc/longhaul.yaml" });
  expect(lineOf("Upstreams", said)).toBe("Upstreams: none; add one under upstreams");
  expect(lineOf("Routes", said)).toBe("Routes: none, so no model is served; add one under routes");
});

it("says which routes have another mode or strategy, by themselves or by their profile", () => {
  const upstream = "o";
  const file = {
    upstreams: { o: { kind: "openai" } },
    context: { mode: "observe", threshold: 80 },
    profiles: { calm: { context: { strategy: "sandwich" } } },
    routes: [
      { match: "a", upstream },
      { match: "b", upstream, profile: "calm" },
      { match: "c", upstream, profile: "calm", context: { mode: "on", threshold: 60 } },
      { match: "d", upstream, context: { mode: "off" } },
    ],
  };
  expect(lineOf("Context", describeFile(file))).toBe(
    "Context: observe, middle-out from 80 % of the window; b: observe, sandwich from 80 % of the window; c: on, sandwich from 60 % of the window; d: off",
  );
  expect(lineOf("Context", describeFile(file, { isContextDisabled: true }))).toBe(
    "Context: off for all (DISABLE_CONTEXT_COMPRESSION)",
  );
  expect(lineOf("Compaction", describeFile(file, { isContextDisabled: true }))).toBe("Compaction: off");
});

it("says which windows were set and which were learned, each once", () => {
  const learned = { upstream: "claude", model: "claude-opus-4-6", windowTokens: 180_000, learnedAtMs: 1 };
  const windows = [
    { ...learned, credential: "1" },
    { ...learned, credential: "2" },
  ];
  const file = { upstreams: { local: { kind: "openai", window: 32_768 }, claude: { kind: "anthropic" } } };
  expect(lineOf("Windows", describeFile(file, { windows }))).toBe(
    "Windows: local 32,768; others as the catalog says; learned: claude/claude-opus-4-6 180,000",
  );
});

it.each([
  [{ enabled: false }, "off"],
  [{ onDemand: false, triggerTokens: 80_000 }, "on, for models that have it: at 80,000 tokens"],
])("says of %j: %s", (compaction, said) => {
  expect(lineOf("Compaction", describeFile({ compaction }))).toBe(`Compaction: ${said}`);
});

it("says where nothing is kept", () => {
  expect(lineOf("Store", describeFile({}))).toBe("Store: in memory; nothing outlives a restart");
});

it("tells what is to be told of the configuration", () => {
  const warnings = ["the file is of version 1"];
  expect(describeFile({}, { warnings }).split("\n").at(-1)).toBe("Note: the file is of version 1.");
});
