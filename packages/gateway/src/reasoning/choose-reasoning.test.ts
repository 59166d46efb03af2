import type { Reasoning, Request } from "@longhaul/conversation";
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

/** What a model is told about thinking with these settings and this request. */
async function say(name: string, own: Reasoning | undefined, settings: Settings = {}) {
  const { global = {}, profile = {}, route = {}, kind = "anthropic", model } = settings;
  const snapshot = makeSnapshot({
    upstreams: { up: { kind } },
    reasoning: global,
    profiles: { deep: { reasoning: profile } },
    routes: [{ match: "*", upstream: "up", profile: "deep", reasoning: route, ...(model && { model }) }],
  });
  const [destination] = resolve({ model: name, wire: "anthropic-messages" }, snapshot);
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
const plainDestination = resolve({ model: "claude-opus-4", wire: "anthropic-messages" }, plain)[0]!;
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

describe("who decides", () => {
  const all = { global: { effort: "low" }, profile: { effort: "medium" }, route: { effort: "high" } };
  const own: Reasoning = { mode: "adaptive", effort: "xhigh" };

  it("is the suffix, then the request, the route, the profile, the global settings, and last the vendor", async () => {
    expect((await say(`${MODEL}:max`, own, all)).reasoning).toEqual(adaptive("max"));
    expect((await say(MODEL, own, all)).reasoning).toEqual(adaptive("xhigh"));
    expect((await say(MODEL, undefined, all)).reasoning).toEqual(adaptive("high"));
    expect((await say(MODEL, undefined, { ...all, route: {} })).reasoning).toEqual(adaptive("medium"));
    expect((await say(MODEL, undefined, { global: all.global })).reasoning).toEqual(adaptive("low"));
    expect(await say(MODEL, undefined)).toMatchObject({ reasoning: undefined, isChanged: false });
  });

  it("counts the suffix of a route's own model as the route's word", async () => {
    const pinned = { model: `${MODEL}:high`, global: { effort: "low" } };
    expect((await say("any", undefined, pinned)).reasoning).toEqual(adaptive("high"));
    expect((await say("any", own, pinned)).reasoning).toEqual(adaptive("xhigh"));
  });

  it("lets settings say how much where the request only says that", async () => {
    expect((await say(MODEL, { mode: "adaptive" }, all)).reasoning).toEqual(adaptive("high"));
    expect(await say(MODEL, { mode: "adaptive" }, { global: { effort: "none" } })).toMatchObject({ isChanged: false });
    expect((await say(MODEL, { mode: "off" }, all)).reasoning).toEqual({ mode: "off" });
  });
});

describe("a request's own words", () => {
  const own: Reasoning = { mode: "budget", budgetTokens: 20_000 };
  const request: Request = { ...asMessages, reasoning: own };

  it("are said in the model's, within its own limits, where the request is in another format", () => {
    const said = chooseReasoning({ ...request, native: { wire: "gemini", value: {} } }, plainDestination);
    expect(said).toMatchObject({ reasoning: own, maxOutputTokens: 21_000, isChanged: true, isOurs: true });
  });

  it("are left to the upstream to judge where it speaks the same format", () => {
    const said = chooseReasoning(request, plainDestination);
    expect(said).toMatchObject({ reasoning: own, warnings: [], isChanged: false, isOurs: false });
  });
});

it("tells a model nothing that takes no level, whoever wishes it", async () => {
  const own: Reasoning = { mode: "effort", effort: "high" };
  const said = await say("o1-mini:high", own, { kind: "openai" });
  expect([said.reasoning, said.isChanged, said.warnings.length]).toEqual([undefined, true, 1]);
});

it("applies settings only to models that are known to reason, by the catalog or by a pattern", async () => {
  const settings = { global: { effort: "high" }, kind: "openrouter" };
  expect((await say("unheard-of", undefined, settings)).reasoning).toBeUndefined();
  const patterns = { "unheard-*": "effort" };
  expect((await say("unheard-of", undefined, { ...settings, global: { effort: "high", patterns } })).reasoning).toEqual(
    {
      mode: "effort",
      effort: "high",
    },
  );
  const own: Reasoning = { mode: "effort", effort: "low" };
  expect((await say("unheard-of", own, settings)).reasoning).toEqual(own);
});

describe("what is shown", () => {
  it("is the request's word before the settings'", async () => {
    const hidden = { global: { effort: "low", exclude: true } };
    expect((await say(MODEL, undefined, hidden)).reasoning).toEqual({ ...adaptive("low"), exclude: true });
    expect((await say(MODEL, { mode: "adaptive", exclude: false }, hidden)).reasoning?.exclude).toBe(false);
  });

  it("turns no thinking on", async () => {
    expect(await say(MODEL, undefined, { global: { exclude: true } })).toMatchObject({
      reasoning: undefined,
      isChanged: false,
      isExcluded: true,
    });
    const router = { global: { exclude: true }, kind: "openrouter" };
    expect((await say("openai/gpt-5", undefined, router)).reasoning).toEqual({ mode: "adaptive", exclude: true });
    expect((await say("anthropic/claude-opus-4.6", undefined, router)).reasoning).toBeUndefined();
    expect((await say("gpt-5", undefined, { ...router, kind: "openai" })).reasoning).toBeUndefined();
  });

  it("is no question where nothing is thought", async () => {
    const hidden = { global: { exclude: true } };
    expect((await say(MODEL, { mode: "off" }, hidden)).reasoning).toEqual({ mode: "off" });
  });

  it("is a change of what the request says", () => {
    const destination = { ...plainDestination, reasoning: { settings: { exclude: true } } };
    const reasoning: Reasoning = { mode: "budget", budgetTokens: 2_048 };
    const said = chooseReasoning({ ...asMessages, reasoning }, destination);
    expect(said).toMatchObject({ reasoning: { ...reasoning, exclude: true }, isChanged: true, isOurs: false });
  });
});

describe("a model that cannot reason", () => {
  const WORDS = /the model "gpt-4o" cannot reason, so the parameters were removed; use one that reasons/;

  it("is told nothing, and who asked is told so", async () => {
    for (const said of [await say("gpt-4o:high", undefined), await say("gpt-4o", { mode: "effort", effort: "high" })]) {
      expect(said.reasoning).toBeUndefined();
      expect(said.warnings).toMatchObject([
        { feature: "reasoning", action: "dropped", message: expect.stringMatching(WORDS) },
      ]);
    }
  });

  it("is no news where only settings wish it, or nothing is wished", async () => {
    expect((await say("gpt-4o", undefined, { global: { effort: "high" } })).warnings).toEqual([]);
    expect((await say("gpt-4o", { mode: "off" })).warnings).toEqual([]);
    expect((await say("gpt-4o:none", undefined)).warnings).toEqual([]);
  });

  it("is news where a route's own name for it says that it thinks", async () => {
    expect((await say("any", undefined, { model: "gpt-4o:high" })).warnings).toHaveLength(1);
  });
});

it("tells what it adjusts", async () => {
  expect((await say("claude-opus-4-20250514:20000", undefined)).warnings).toEqual([
    {
      feature: "reasoning.budget",
      action: "changed",
      message:
        'the model "claude-opus-4-20250514" gets 16000 instead of 20000: budgets of this model are 1024 to 16000 tokens',
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
  const [destination] = resolve({ model, wire: call.endpoint.wire }, snapshot);
  return { call, destination: destination!, body };
}

describe("reasoning that the client does not want", () => {
  it("is hidden by the gateway where the formats differ, and from servers that know no such wish", () => {
    const hidden = (model: string, path?: string) => {
      const { call, destination } = asked(model, {}, path);
      return isHiddenHere(call, destination);
    };
    expect([hidden("claude-opus-4-7", "/v1/messages"), hidden("claude-opus-4-7")]).toEqual([false, true]);
    expect([hidden(GPT), hidden(GPT, "/v1/messages"), hidden(DEEPSEEK)]).toEqual([false, true, true]);
  });

  it("still has to come from OpenRouter where its models may call tools", () => {
    const held = (model: string, fields: object) => {
      const { call, destination } = asked(model, fields);
      return isNeededHere(call.request(), destination);
    };
    expect([held(GPT, { tools }), held(GPT, {}), held(DEEPSEEK, { tools })]).toEqual([true, false, false]);
  });

  it("is not asked for by saying only that it is not wanted", () => {
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

  it("is told from the body's own field", () => {
    const mentions = (fields: object) => mentionsExclusion(asked(GPT, fields).body, "messages");
    expect(mentions({ reasoning: { exclude: true } })).toBe(true);
    expect(mentions({ reasoning: { effort: "high" } })).toBe(false);
    expect(mentions({ reasoning: { effort: "high" }, metadata: { exclude: "all" } })).toBe(false);
  });
});
