import type { Reasoning, Request } from "@longhaul/conversation/advanced";
import { makeConversation, makeUser } from "@longhaul/conversation/testing";
import { decode } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../request/endpoints.ts";
import { resolve } from "../stages/resolve.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { chooseReasoning, isBareExclusion, isHiddenHere, isNeededHere, mentionsExclusion } from "./choose-reasoning.ts";

interface Settings {
  readonly global?: object;
  readonly profile?: object;
  readonly route?: object;
  readonly kind?: string;
  readonly model?: string;
}

/** Chooses the reasoning of a model with these settings and this request. */
async function choose(name: string, own: Reasoning | undefined, settings: Settings = {}) {
  const { global = {}, profile = {}, route = {}, kind = "anthropic", model } = settings;
  const snapshot = makeSnapshot({
    upstreams: { up: { kind } },
    reasoning: global,
    profiles: { deep: { reasoning: profile } },
    routes: [{ match: "*", upstream: "up", profile: "deep", reasoning: route, ...(model && { model }) }],
  });
  const [destination] = resolve({ key: undefined, model: name, wire: "anthropic-messages" }, snapshot);
  const request: Request = {
    model: name,
    conversation: makeConversation([makeUser()]),
    stream: false,
    sampling: {},
    ...(own && { reasoning: own }),
  };
  await snapshot.close();
  return chooseReasoning(request, destination!);
}

const plain = makeSnapshot({ upstreams: { up: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "up" }] });
afterAll(() => plain.close());
const plainDestination = resolve({ key: undefined, model: "claude-opus-4", wire: "anthropic-messages" }, plain)[0]!;
const asMessages: Request = {
  model: "claude-opus-4",
  conversation: makeConversation([makeUser()]),
  stream: false,
  sampling: {},
  maxOutputTokens: 1_000,
  native: { wire: "anthropic-messages", value: {} },
};

const MODEL = "claude-opus-4-7";
const adaptive = (effort: Reasoning["effort"]) => ({ mode: "adaptive", effort });

describe("precedence", () => {
  const all = { global: { effort: "low" }, profile: { effort: "medium" }, route: { effort: "high" } };
  const own: Reasoning = { mode: "adaptive", effort: "xhigh" };

  it("is suffix, request, route, profile, global settings, vendor default", async () => {
    expect((await choose(`${MODEL}:max`, own, all)).reasoning).toEqual(adaptive("max"));
    expect((await choose(MODEL, own, all)).reasoning).toEqual(adaptive("xhigh"));
    expect((await choose(MODEL, undefined, all)).reasoning).toEqual(adaptive("high"));
    expect((await choose(MODEL, undefined, { ...all, route: {} })).reasoning).toEqual(adaptive("medium"));
    expect((await choose(MODEL, undefined, { global: all.global })).reasoning).toEqual(adaptive("low"));
    expect(await choose(MODEL, undefined)).toMatchObject({ reasoning: undefined, isChanged: false });
  });

  it("treats the suffix of a route's model as the route's setting", async () => {
    const pinned = { model: `${MODEL}:high`, global: { effort: "low" } };
    expect((await choose("any", undefined, pinned)).reasoning).toEqual(adaptive("high"));
    expect((await choose("any", own, pinned)).reasoning).toEqual(adaptive("xhigh"));
  });

  it("lets settings choose the amount if the request only turns reasoning on", async () => {
    expect((await choose(MODEL, { mode: "adaptive" }, all)).reasoning).toEqual(adaptive("high"));
    expect(await choose(MODEL, { mode: "adaptive" }, { global: { effort: "none" } })).toMatchObject({
      isChanged: false,
    });
    expect((await choose(MODEL, { mode: "off" }, all)).reasoning).toEqual({ mode: "off" });
  });
});

describe("a request's own parameters", () => {
  const own: Reasoning = { mode: "budget", budgetTokens: 20_000 };
  const request: Request = { ...asMessages, reasoning: own };

  it("are converted within the model's limits if the request is in another format", () => {
    const chosen = chooseReasoning({ ...request, native: { wire: "gemini", value: {} } }, plainDestination);
    expect(chosen).toMatchObject({ reasoning: own, maxOutputTokens: 21_000, isChanged: true, isOurs: true });
  });

  it("are left to an upstream of the same format", () => {
    const chosen = chooseReasoning(request, plainDestination);
    expect(chosen).toMatchObject({ reasoning: own, warnings: [], isChanged: false, isOurs: false });
  });
});

it("sends no level to a model that accepts none", async () => {
  const own: Reasoning = { mode: "effort", effort: "high" };
  const chosen = await choose("o1-mini:high", own, { kind: "openai" });
  expect([chosen.reasoning, chosen.isChanged, chosen.warnings.length]).toEqual([undefined, true, 1]);
});

it("applies settings only to models that are known to reason, by the catalog or by a pattern", async () => {
  const settings = { global: { effort: "high" }, kind: "openrouter" };
  expect((await choose("unheard-of", undefined, settings)).reasoning).toBeUndefined();
  const patterns = { "unheard-*": "effort" };
  expect(
    (await choose("unheard-of", undefined, { ...settings, global: { effort: "high", patterns } })).reasoning,
  ).toEqual({
    mode: "effort",
    effort: "high",
  });
  const own: Reasoning = { mode: "effort", effort: "low" };
  expect((await choose("unheard-of", own, settings)).reasoning).toEqual(own);
});

describe("exclusion", () => {
  it("follows the request before the settings", async () => {
    const hidden = { global: { effort: "low", exclude: true } };
    expect((await choose(MODEL, undefined, hidden)).reasoning).toEqual({ ...adaptive("low"), exclude: true });
    expect((await choose(MODEL, { mode: "adaptive", exclude: false }, hidden)).reasoning?.exclude).toBe(false);
  });

  it("does not turn reasoning on", async () => {
    expect(await choose(MODEL, undefined, { global: { exclude: true } })).toMatchObject({
      reasoning: undefined,
      isChanged: false,
      isExcluded: true,
    });
    const router = { global: { exclude: true }, kind: "openrouter" };
    expect((await choose("openai/gpt-5", undefined, router)).reasoning).toEqual({ mode: "adaptive", exclude: true });
    expect((await choose("anthropic/claude-opus-4.6", undefined, router)).reasoning).toBeUndefined();
    expect((await choose("gpt-5", undefined, { ...router, kind: "openai" })).reasoning).toBeUndefined();
  });

  it("is ignored if reasoning is off", async () => {
    const hidden = { global: { exclude: true } };
    expect((await choose(MODEL, { mode: "off" }, hidden)).reasoning).toEqual({ mode: "off" });
  });

  it("counts as a change of the request", () => {
    const destination = { ...plainDestination, reasoning: { settings: { exclude: true } } };
    const reasoning: Reasoning = { mode: "budget", budgetTokens: 2_048 };
    const chosen = chooseReasoning({ ...asMessages, reasoning }, destination);
    expect(chosen).toMatchObject({ reasoning: { ...reasoning, exclude: true }, isChanged: true, isOurs: false });
  });
});

describe("a model that cannot reason", () => {
  const kind = "openai";
  const WORDS = /the model "gpt-4o" cannot reason, so the parameters were removed; use a reasoning model/;

  it("gets no parameters, and the client gets a warning", async () => {
    for (const said of [
      await choose("gpt-4o:high", undefined, { kind }),
      await choose("gpt-4o", { mode: "effort", effort: "high" }, { kind }),
    ]) {
      expect(said.reasoning).toBeUndefined();
      expect(said.warnings).toMatchObject([
        { feature: "reasoning", action: "dropped", message: expect.stringMatching(WORDS) },
      ]);
    }
  });

  it("causes no warning if only settings request it, or nothing does", async () => {
    expect((await choose("gpt-4o", undefined, { kind, global: { effort: "high" } })).warnings).toEqual([]);
    expect((await choose("gpt-4o", { mode: "off" }, { kind })).warnings).toEqual([]);
    expect((await choose("gpt-4o:none", undefined, { kind })).warnings).toEqual([]);
  });

  it("causes a warning if the route's model has a suffix", async () => {
    expect((await choose("any", undefined, { kind, model: "gpt-4o:high" })).warnings).toHaveLength(1);
  });
});

it("warns of each adjustment", async () => {
  expect((await choose("claude-opus-4-20250514:20000", undefined)).warnings).toEqual([
    {
      feature: "reasoning.budget",
      action: "changed",
      message:
        'the model "claude-opus-4-20250514" gets 16000 instead of 20000: the model accepts budgets of 1024 to 16000 tokens',
      count: 1,
    },
  ]);
});

const snapshot = makeSnapshot({
  upstreams: {
    claude: { kind: "anthropic" },
    router: { kind: "openrouter" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
  },
  routes: [
    { match: "openrouter/*", upstream: "router" },
    { match: "claude-*", upstream: "claude" },
    { match: "*", upstream: "local" },
  ],
});
afterAll(() => snapshot.close());

const [CLAUDE, GPT, DEEPSEEK] = [
  "openrouter/anthropic/claude-sonnet-4.5",
  "openrouter/openai/gpt-5",
  "deepseek-v4-pro",
];
const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];

function asked(model: string, fields: object = {}, path = "/v1/chat/completions") {
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }], ...fields }));
  const call = decode({
    id: "lh_1",
    endpoint: findEndpoint("POST", path)!,
    body,
    headers: {},
    query: "",
    caller: makeCaller(),
  });
  const [destination] = resolve({ key: undefined, model, wire: call.endpoint.wire }, snapshot);
  return { call, destination: destination!, body };
}

describe("excluded reasoning", () => {
  it("is removed by the gateway if the formats differ, or if the server always shows it", () => {
    const hidden = (model: string, path?: string) => {
      const { call, destination } = asked(model, {}, path);
      return isHiddenHere(call, destination);
    };
    expect([hidden("claude-opus-4-7", "/v1/messages"), hidden("claude-opus-4-7")]).toEqual([false, true]);
    expect([hidden(GPT), hidden(GPT, "/v1/messages"), hidden(DEEPSEEK)]).toEqual([false, true, true]);
  });

  it("is still requested from OpenRouter if its models may call tools", () => {
    const held = (model: string, fields: object) => {
      const { call, destination } = asked(model, fields);
      return isNeededHere(call.request(), destination);
    };
    expect([held(GPT, { tools }), held(GPT, {}), held(DEEPSEEK, { tools })]).toEqual([true, false, false]);
  });

  it("is not requested by a bare exclusion", () => {
    const bare = asked(CLAUDE, { tools, reasoning: { exclude: true } });
    const more = asked(CLAUDE, { tools, reasoning: { exclude: true, effort: "high" } });
    const beside = asked(CLAUDE, { tools, reasoning: { exclude: true }, reasoning_effort: "high" });
    expect([bare, more, beside].map(({ call }) => isBareExclusion(call.request()))).toEqual([true, false, false]);
    expect([bare, more].map(({ call, destination }) => isNeededHere(call.request(), destination))).toEqual([
      false,
      true,
    ]);
    const always = asked(GPT, { tools, reasoning: { exclude: true } });
    expect(isNeededHere(always.call.request(), always.destination)).toBe(true);
  });

  it("is detected in the body's own field", () => {
    const mentions = (fields: object) => mentionsExclusion(asked(GPT, fields).body, "messages");
    expect(mentions({ reasoning: { exclude: true } })).toBe(true);
    expect(mentions({ reasoning: { effort: "high" } })).toBe(false);
    expect(mentions({ reasoning: { effort: "high" }, metadata: { exclude: "all" } })).toBe(false);
  });
});
