import type { WireId } from "@longhaul/conversation";
import { afterAll, describe, expect, it } from "vitest";
import { makeCaller } from "../testing/caller.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { resolve, routeQueryOf } from "./resolve.ts";

const snapshot = makeSnapshot({
  upstreams: {
    claude: { kind: "anthropic" },
    openai: { kind: "openai" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
    sim: { kind: "simulator" },
    aws: { kind: "bedrock", region: "us-east-1", accessKeyId: "i", secretAccessKey: "s" },
  },
  routes: [
    { match: "claude-*haiku*", upstream: "openai", model: "gpt-4o-mini" },
    { match: "claude-*", upstream: ["claude", "aws"] },
    { match: "best", upstream: ["claude", "openai"], models: { claude: "claude-opus-4-7", openai: "gpt-5:low" } },
    { match: "odd", upstream: "claude", model: "claude-sonnet-4-5:lots" },
    { match: "local/*", upstream: "local" },
    { match: "gpt-*", upstream: "openai" },
    { match: "sim-*", upstream: "sim" },
    { match: "gemini-*", upstream: "sim" },
  ],
});
afterAll(() => snapshot.close());

function destinations(model: string, wire: WireId) {
  return resolve({ key: undefined, model, wire }, snapshot).map((destination) => ({
    upstream: destination.handle.connection.upstream.id,
    vendor: destination.handle.connection.upstream.deployment.vendor,
    wire: destination.wire,
    model: destination.model,
  }));
}

it("warns once if only the route for all models serves a name of another vendor, at another address", () => {
  const lines: string[] = [];
  const upstreams = { claude: { kind: "anthropic", baseUrl: "http://127.0.0.1:9", apiKey: "k" } };
  const guessing = makeSnapshot({ upstreams, routes: [{ match: "*", upstream: "claude" }] }, lines);
  const resolveAll = (model: string) => resolve({ key: undefined, model, wire: "anthropic-messages" }, guessing);
  expect([resolveAll("gpt-5"), resolveAll("gpt-5"), resolveAll("claude-opus-4-6")].flat()).toHaveLength(3);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'the model "gpt-5" belongs to OpenAI, but only the route "*" serves it, which leads to claude; set OPENAI_API_KEY, or add a route for it',
  ]);
  return guessing.close();
});

describe("resolve", () => {
  it("uses the first matching route and its model name", () => {
    expect(destinations("claude-3-5-haiku-20241022", "anthropic-messages")).toEqual([
      { upstream: "openai", vendor: "openai", wire: "openai-responses", model: "gpt-4o-mini" },
    ]);
  });

  it("lists upstreams in order, each with its own model id", () => {
    expect(destinations("claude-opus-4-6", "anthropic-messages")).toMatchObject([
      { upstream: "claude", wire: "anthropic-messages", model: "claude-opus-4-6" },
      { upstream: "aws", wire: "anthropic-messages", model: expect.stringContaining("anthropic.claude-opus-4-6") },
    ]);
  });

  it("removes the suffix from the model name", () => {
    expect(destinations("claude-opus-4-6:high", "anthropic-messages")).toMatchObject([
      { model: "claude-opus-4-6" },
      { model: expect.stringMatching(/anthropic\.claude-opus-4-6[^:]*$/) },
    ]);
    expect(destinations("local/gpt-5:4k", "openai-chat")[0]?.model).toBe("local/gpt-5");
    expect(resolve({ key: undefined, model: "gpt-5(low)", wire: "openai-chat" }, snapshot)[0]?.reasoning).toEqual({
      suffix: { kind: "effort", effort: "low" },
      settings: {},
    });
  });

  it("uses the model of each vendor for failover", () => {
    const found = resolve({ key: undefined, model: "best:high", wire: "anthropic-messages" }, snapshot);
    expect(found.map(({ model, reasoning }) => [model, reasoning?.suffix, reasoning?.pinned])).toEqual([
      ["claude-opus-4-7", { kind: "effort", effort: "high" }, undefined],
      ["gpt-5", { kind: "effort", effort: "high" }, { kind: "effort", effort: "low" }],
    ]);
  });

  it("describes what the route's model supports if a suffix is unknown", () => {
    const unread = resolve({ key: undefined, model: "best:ultra", wire: "anthropic-messages" }, snapshot);
    expect(unread.map(({ reasoning }) => reasoning?.unread)).toEqual([
      { text: "ultra", base: "claude-opus-4-7", takes: expect.stringContaining("xhigh, max; a number") },
      { text: "ultra", base: "gpt-5", takes: expect.stringContaining("one of minimal, low") },
    ]);
    expect(
      resolve({ key: undefined, model: "odd", wire: "anthropic-messages" }, snapshot)[0]?.reasoning?.unread,
    ).toEqual({
      text: "lots",
      base: "claude-sonnet-4-5",
      takes: expect.stringContaining("1024 to 16000 tokens"),
    });
  });

  it("uses the client's format if the upstream speaks it", () => {
    expect(destinations("gpt-4o", "openai-chat")[0]?.wire).toBe("openai-chat");
    expect(destinations("gpt-4o", "gemini")[0]?.wire).toBe("openai-responses");
  });

  it("keeps the names at compatible servers", () => {
    expect(destinations("local/My-Model:7b", "openai-chat")[0]?.model).toBe("local/My-Model:7b");
  });

  it("prefers the handle of the model's vendor, then one that speaks the client's format", () => {
    expect(destinations("gemini-2.5-pro", "openai-chat")[0]).toMatchObject({ vendor: "google", wire: "gemini" });
    expect(destinations("sim-anything", "openai-chat")[0]).toMatchObject({ vendor: "openai", wire: "openai-chat" });
  });

  it("returns the same destinations for the same snapshot", () => {
    const query = { key: undefined, model: "gpt-4o", wire: "openai-chat" } as const;
    expect(resolve(query, snapshot)).toBe(resolve({ ...query }, snapshot));
    expect(resolve({ ...query, wire: "gemini" }, snapshot)).not.toBe(resolve(query, snapshot));
    for (let name = 0; name < 3_000; name++) resolve({ ...query, model: `gpt-${name}` }, snapshot);
    expect(resolve(query, snapshot)[0]?.model).toBe("gpt-4o");
  });

  it("rejects a route to an upstream that is not running", () => {
    const empty = { ...snapshot, handles: new Map() };
    expect(() => resolve({ key: undefined, model: "gpt-4o", wire: "openai-chat" }, empty)).toThrow(
      /"openai" is not configured/,
    );
  });

  it("lists the routes if none matches", () => {
    expect(() => destinations("llama-3", "openai-chat")).toThrow(
      expect.objectContaining({
        code: "route.unknown",
        message: expect.stringMatching(/"llama-3" \(routes: claude-\*haiku\*, .*add one under routes/),
      }),
    );
  });

  it("warns once of a guessed window", async () => {
    const lines: string[] = [];
    const local = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" };
    const upstreams = { local, set: { ...local, window: 8_000 } };
    const routes = [
      { match: "set/*", upstream: "set" },
      { match: "*", upstream: "local" },
    ];
    const own = makeSnapshot({ upstreams, routes, models: { known: { window: 9_000 } } }, lines);
    for (const model of ["house-model", "house-model", "set/house-model", "known"]) {
      resolve({ key: undefined, model, wire: "openai-chat" }, own);
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        msg: expect.stringMatching(
          /^model "house-model" is not in the catalog: assuming a context window of [\d,]+ tokens/,
        ),
      },
    ]);
    await own.close();
  });
});

describe("the context settings of a request", () => {
  const scoped = makeSnapshot({
    upstreams: { sim: { kind: "simulator" } },
    context: { strategy: "native", threshold: 90, strategies: { smart: { passes: [] } } },
    profiles: { own: { context: { strategy: "sandwich", waitSeconds: 1 } } },
    routes: [
      { match: "routed", upstream: "sim", profile: "own", context: { waitSeconds: 2 } },
      { match: "*", upstream: "sim" },
    ],
  });
  afterAll(() => scoped.close());
  const contextOf = (query: Partial<Parameters<typeof resolve>[0]>, snapshot = scoped) =>
    resolve({ key: undefined, model: "m", wire: "openai-chat", ...query }, snapshot)[0]?.context;

  it("come from the narrowest scope: global, key, profile, route, request", () => {
    const key = { name: "ci", models: [], context: { strategy: "lossless", waitSeconds: 9, threshold: 70 } };
    expect(contextOf({})).toMatchObject({ strategy: "native", threshold: 90, waitSeconds: 20 });
    expect(contextOf({ key })).toMatchObject({ strategy: "lossless", threshold: 70, waitSeconds: 9 });
    const routed = { model: "routed", key };
    expect(contextOf(routed)).toMatchObject({ strategy: "sandwich", threshold: 70, waitSeconds: 2 });
    expect(contextOf({ ...routed, ofRequest: { strategy: "smart", threshold: -1 } })).toMatchObject({
      strategy: "smart",
      threshold: 70,
      waitSeconds: 2,
      config: { passes: [] },
    });
  });

  it("are cached per route query", () => {
    expect(contextOf({ ofRequest: { auto: false } })).toBe(contextOf({ ofRequest: { auto: false } }));
    expect(contextOf({ ofRequest: { auto: false } })?.auto).toBe(false);
    expect(contextOf({})?.auto).toBe(true);
  });

  it("have the window and prices of the route's profile", () => {
    const priced = makeSnapshot({
      upstreams: { sim: { kind: "simulator", window: 5_000 } },
      profiles: { own: { window: 6_000, maxOutputTokens: 70, prices: { input: 1, output: 2 } } },
      routes: [{ match: "*", upstream: "sim", profile: "own" }],
    });
    const [destination] = resolve({ key: undefined, model: "gpt-4o", wire: "openai-chat" }, priced);
    expect(destination?.windowTokens).toBe(6_000);
    expect(destination?.match.model).toMatchObject({ window: 6_000, maxOutput: 70, prices: { input: 1, output: 2 } });
  });

  it("can be set by headers, which are validated", () => {
    const headers = { "x-longhaul-strategy": "lossless", "x-longhaul-threshold": "50" };
    const call = {
      model: "m",
      endpoint: { wire: "gemini", action: "generate", method: "POST" },
      headers,
      caller: makeCaller(),
      body: new Uint8Array(),
    } as const;
    expect(routeQueryOf(call)).toEqual({
      model: "m",
      wire: "gemini",
      alternatives: [],
      ofRequest: { strategy: "lossless", threshold: 50 },
    });
    expect(() => routeQueryOf({ ...call, headers: { "x-longhaul-mode": "loud" } })).toThrow("one of on, observe, off");
  });
});
