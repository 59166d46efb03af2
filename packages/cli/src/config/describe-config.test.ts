import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { type Described, describeConfig, describeStart } from "./describe-config.ts";

function describeFile(file: object, more: Partial<Described> = {}): string {
  const config = parseConfig(file, {});
  return describeConfig({ config, isContextDisabled: false, warnings: [], ...more });
}

const lineOf = (name: string, text: string) => text.split("\n").find((line) => line.startsWith(`${name}: `));

it("lists upstreams, routes and store without credentials", () => {
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
      "Configuration: /etc/longhaul.yaml",
      "Upstreams: claude (anthropic), local (openai-compatible at 127.0.0.1:8000)",
      "Paid with: upstreams.claude.apiKey for claude; a client's own key or login is not used there",
      "Routes: claude-*haiku* → local as qwen3, * → claude, then local",
      "Condensing: on, strategy smart (the default)",
      "Context windows: from the model catalog",
      "Vendor compaction: on; models that support it summarize long sessions themselves, in a background request, billed like any other",
      "Store: /data/longhaul.db",
    ].join("\n"),
  );
});

it("describes at the start only what differs from one gateway to the next", () => {
  const upstreams = { claude: { kind: "anthropic", apiKey: "hush-hush" }, own: { kind: "anthropic" } };
  const routes = [
    { match: "*", credential: "anthropic", upstream: "own" },
    { match: "*", upstream: "claude" },
  ];
  const described = { isContextDisabled: false, warnings: ["it is late"], file: "/etc/longhaul.yaml" };
  expect(describeStart({ ...described, config: parseConfig({ upstreams, routes }, {}) })).toBe(
    [
      "Configuration: /etc/longhaul.yaml",
      "Upstreams: claude (anthropic); with a client's own key or login: own (anthropic)",
      "Paid with: upstreams.claude.apiKey for claude; a client's own key or login is not used there",
      "Condensing: on, strategy smart (the default)",
      "Note: it is late.",
    ].join("\n"),
  );
});

it("names the address of a vendor at the start if nothing else is configured", () => {
  const upstreams = {
    anthropic: { kind: "anthropic", baseUrl: "http://127.0.0.1:1" },
    simulator: { kind: "simulator", saysSimulated: true },
  };
  const config = parseConfig({ upstreams, routes: [{ match: "*", upstream: "simulator" }] }, {});
  expect(describeStart({ config, isContextDisabled: false, warnings: [] })).toMatch(
    /^Upstreams: .* the built-in simulator answers all others; anthropic is at 127\.0\.0\.1:1\nCondensing: /,
  );
});

it("mentions stored overrides", () => {
  expect(describeFile({}, { hasStored: true })).toMatch(
    /^Configuration: no file; environment variables and defaults, with stored overrides$/m,
  );
});

it("suggests what to add if there are no upstreams and routes", () => {
  const text = describeFile({}, { file: "/etc/longhaul.yaml" });
  expect(lineOf("Upstreams", text)).toBe("Upstreams: none; add one under upstreams");
  expect(lineOf("Routes", text)).toBe("Routes: none, so no model is served; add one under routes");
});

it("lists routes whose own settings or profile change the mode or strategy", () => {
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
  expect(lineOf("Condensing", describeFile(file))).toBe(
    "Condensing: observe, strategy smart (the default) from 80% of the window; b: observe, strategy sandwich from 80% of the window; c: on, strategy sandwich from 60% of the window; d: off",
  );
  expect(lineOf("Condensing", describeFile(file, { isContextDisabled: true }))).toBe(
    "Condensing: off for all requests (DISABLE_CONTEXT_COMPRESSION)",
  );
  expect(lineOf("Vendor compaction", describeFile(file, { isContextDisabled: true }))).toBe("Vendor compaction: off");
});

it("lists configured windows and, once each, learned windows", () => {
  const learned = { upstream: "claude", model: "claude-opus-4-6", windowTokens: 180_000, learnedAtMs: 1 };
  const windows = [
    { ...learned, credential: "1" },
    { ...learned, credential: "2" },
  ];
  const file = { upstreams: { local: { kind: "openai", window: 32_768 }, claude: { kind: "anthropic" } } };
  expect(lineOf("Context windows", describeFile(file, { windows }))).toBe(
    "Context windows: local 32,768; others from the model catalog; learned: claude/claude-opus-4-6 180,000",
  );
});

it.each([
  [{ enabled: false }, "off"],
  [
    { onDemand: false, triggerTokens: 80_000 },
    "on at 80,000 tokens; models that support it summarize long sessions themselves, as part of a reply",
  ],
])("describes %j as %s", (compaction, text) => {
  expect(lineOf("Vendor compaction", describeFile({ compaction }))).toBe(`Vendor compaction: ${text}`);
});

it("mentions that a store in memory is lost on restart", () => {
  expect(lineOf("Store", describeFile({}))).toBe("Store: in memory, lost on restart");
});

it("ends with the warnings of the configuration", () => {
  const warnings = ["the configuration file has version 1"];
  expect(describeFile({}, { warnings }).split("\n").at(-1)).toBe("Note: the configuration file has version 1.");
});
