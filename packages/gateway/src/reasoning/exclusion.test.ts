import { decode } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../http/endpoints.ts";
import { resolve } from "../stages/resolve.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { isBareExclusion, isHiddenHere, isNeededHere, mentionsExclusion } from "./exclusion.ts";

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
