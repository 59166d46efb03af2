import type { Request } from "@longhaul/conversation";
import { decode } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import type { Call } from "../call.ts";
import { findEndpoint } from "../http/endpoints.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { encode } from "./encode.ts";
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
  const [destination] = resolve({ model: call.model, wire: call.endpoint.wire }, snapshot);
  return { ...encode({ ...call, ...more }, destination!), bytes };
}

const messages = [{ role: "user", content: "hi" }];

describe("encode", () => {
  it("leaves the bytes alone where format and model stay the same", () => {
    const { outgoing, bytes, isSameFormat } = encoded("/v1/messages", {
      model: "claude-opus-4-6",
      max_tokens: 5,
      messages,
    });
    expect([outgoing.body === bytes, isSameFormat]).toEqual([true, true]);
  });

  it("writes only the model's name anew where it alone changes", () => {
    const { outgoing } = encoded("/v1/messages", {
      model: "claude-alias",
      max_tokens: 5,
      messages,
      unheard_of: { a: 1 },
    });
    expect(JSON.parse(new TextDecoder().decode(outgoing.body))).toEqual({
      model: "claude-opus-4-6",
      max_tokens: 5,
      messages,
      unheard_of: { a: 1 },
    });
  });

  it("writes anew what reasoning is put back into", () => {
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
  ])(
    "puts reasoning back behind a condensed beginning unless it is bound to that (%s)",
    async (bindsThinking, times) => {
      const bench = await openFitBench({ wire: "openai-chat", facts: { bindsThinking } });
      const fitted = await bench.fit(makeChat(60));
      const seen: Request[] = [];
      const putBack = (request: Request): Request => {
        seen.push(request);
        return request;
      };
      encode({ ...fitted.fitRequest.call, putBack }, bench.destination, fitted);
      expect([fitted.form.epoch === undefined, seen.length]).toEqual([false, times]);
    },
  );

  it("changes no other byte of what asks for no answer", () => {
    const { outgoing, bytes } = encoded("/v1/messages/count_tokens", { messages, model: "claude-alias", z: 1 });
    const sent = new TextDecoder().decode(outgoing.body);
    expect(sent).toBe(new TextDecoder().decode(bytes).replace("claude-alias", "claude-opus-4-6"));
  });

  it("does not tell another vendor what belongs to the client's own", () => {
    const { outgoing } = encoded(
      "/v1/messages",
      { model: "gpt-4o", max_tokens: 5, messages },
      { "anthropic-beta": "x", "x-api-key": "k", "user-agent": "u" },
    );
    expect(outgoing.headers).toEqual({ "x-api-key": "k" });
  });

  it("asks for the betas that a change of ours needs, but for none that the upstream must not get", () => {
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

  it("asks the Messages API for a version where the client speaks another format", () => {
    const { outgoing } = encoded("/v1/chat/completions", { model: "claude-opus-4-6", messages });
    expect(outgoing.headers).toEqual({ "anthropic-version": "2023-06-01" });
  });
});
