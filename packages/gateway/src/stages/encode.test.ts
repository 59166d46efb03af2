import type { Request } from "@longhaul/conversation/advanced";
import { decode, makePauses } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../request/endpoints.ts";
import type { Call } from "../request/request-context.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { encode, encodeSync } from "./encode.ts";
import { resolve } from "./resolve.ts";

const snapshot = makeSnapshot({
  upstreams: {
    claude: { kind: "anthropic" },
    plain: { kind: "anthropic", blockedBetas: ["a-beta"] },
    openai: { kind: "openai" },
    router: { kind: "openrouter" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
  },
  routes: [
    { match: "router/*", upstream: "router" },
    { match: "local/*", upstream: "local" },
    { match: "plain", upstream: "plain", model: "claude-opus-4-6" },
    { match: "claude-alias", upstream: "claude", model: "claude-opus-4-6" },
    { match: "claude-*", upstream: "claude" },
    { match: "gpt-*", upstream: "openai" },
  ],
});
afterAll(() => snapshot.close());

function encoded(path: string, body: object, headers: Record<string, string> = {}, more: Partial<Call> = {}) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const call = decode({
    id: "i",
    endpoint: findEndpoint("POST", path)!,
    body: bytes,
    headers,
    query: "",
    caller: makeCaller(),
  });
  const [destination] = resolve({ key: undefined, model: call.model, wire: call.endpoint.wire }, snapshot);
  return { ...encodeSync({ call: { ...call, ...more }, destination: destination! }), bytes };
}

const messages = [{ role: "user", content: "hi" }];

describe("encodeSync", () => {
  it("returns the client's bytes if format and model stay the same", () => {
    const { outgoing, bytes, isSameFormat } = encoded("/v1/messages", {
      model: "claude-opus-4-6",
      max_tokens: 5,
      messages,
    });
    expect([outgoing.body === bytes, isSameFormat]).toEqual([true, true]);
  });

  it("replaces only the model name if nothing else changes", () => {
    const { outgoing } = encoded("/v1/messages", {
      model: "claude-alias",
      max_tokens: 5,
      messages,
      unknown_type: { a: 1 },
    });
    expect(JSON.parse(new TextDecoder().decode(outgoing.body))).toEqual({
      model: "claude-opus-4-6",
      max_tokens: 5,
      messages,
      unknown_type: { a: 1 },
    });
  });

  it("rewrites a body into which reasoning is put back", () => {
    const body = { model: "gpt-5", messages };
    const putBack = (request: Request): Request => ({ ...request, user: "put back" });
    const { outgoing } = encoded("/v1/chat/completions", body, {}, { putBack });
    expect(JSON.parse(new TextDecoder().decode(outgoing.body))).toMatchObject({
      messages,
      user: "put back",
    });
  });

  it.each([
    [true, 0],
    [false, 1],
  ])("puts reasoning back after a condensed beginning unless the model binds it (%s)", async (bindsThinking, times) => {
    const bench = await openFitBench({ wire: "openai-chat", facts: { bindsThinking } });
    const fitted = await bench.fit(makeChat(60));
    const seen: Request[] = [];
    const putBack = (request: Request): Request => {
      seen.push(request);
      return request;
    };
    encodeSync({ call: { ...fitted.fitRequest.call, putBack }, destination: bench.destination, fitted });
    expect([fitted.form.epoch === undefined, seen.length]).toEqual([false, times]);
  });

  it("replaces only the model name of a token count", () => {
    const { outgoing, bytes } = encoded("/v1/messages/count_tokens", { messages, model: "claude-alias", z: 1 });
    const sent = new TextDecoder().decode(outgoing.body);
    expect(sent).toBe(new TextDecoder().decode(bytes).replace("claude-alias", "claude-opus-4-6"));
  });

  it("removes the headers of the client's vendor for another vendor", () => {
    const { outgoing } = encoded(
      "/v1/messages",
      { model: "gpt-4o", max_tokens: 5, messages },
      { "anthropic-beta": "x", "x-api-key": "k", "user-agent": "u" },
    );
    expect(outgoing.headers).toEqual({ "x-api-key": "k" });
  });

  it("adds the betas of a changed parameter, except those that the upstream must not get", () => {
    const change = { parameters: (request: Request) => request, betas: ["a-beta", "b-beta"] };
    const body = { max_tokens: 5, messages };
    const sent = ["claude-opus-4-6", "plain"].map((model) =>
      encoded("/v1/messages", { model, ...body }, {}, { change }),
    );
    expect(sent.map(({ outgoing }) => outgoing.headers)).toEqual([
      { "anthropic-beta": "a-beta,b-beta" },
      { "anthropic-beta": "b-beta" },
    ]);
  });

  it("adds the Messages API version if the client speaks another format", () => {
    const { outgoing } = encoded("/v1/chat/completions", { model: "claude-opus-4-6", messages });
    expect(outgoing.headers).toEqual({ "anthropic-version": "2023-06-01" });
  });
});

it("adds the warnings and the exclusion of the planned reasoning", async () => {
  const bench = await openFitBench();
  const warning = { feature: "reasoning", action: "changed", message: "m", count: 1 } as const;
  const planned = { call: bench.call(makeChat(1)), destination: bench.destination, pauses: makePauses() };
  const { outgoing, ...rest } = await encode({ ...planned, warnings: [warning], isExcluded: true }, undefined);
  expect(outgoing).toEqual(encodeSync(planned).outgoing);
  expect(rest).toMatchObject({ warnings: [warning], isExcluded: true, isSameFormat: true });
});
