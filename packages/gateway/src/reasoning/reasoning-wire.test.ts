import type { Reasoning } from "@longhaul/conversation";
import { decode } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../http/endpoints.ts";
import { resolve } from "../stages/resolve.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { inSibling, speaksSibling } from "./reasoning-wire.ts";

const snapshot = makeSnapshot({
  upstreams: {
    openai: { kind: "openai" },
    pinned: { kind: "openai", wire: "openai-chat" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1" },
  },
  routes: [
    { match: "pinned", upstream: "pinned", model: "gpt-5" },
    { match: "local", upstream: "local", model: "gpt-5" },
    { match: "*", upstream: "openai" },
  ],
});
afterAll(() => snapshot.close());

const HIGH: Reasoning = { mode: "effort", effort: "high" };

function wireOf(model: string, reasoning: Reasoning | undefined, fields: object = {}): string {
  const body = Buffer.from(JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }], ...fields }));
  const endpoint = findEndpoint("POST", "/v1/chat/completions", {});
  const call = decode({ id: "lh_1", endpoint: endpoint!, body, headers: {}, query: "", caller: makeCaller() });
  const [destination] = resolve({ model, wire: "openai-chat" }, snapshot);
  return inSibling(call, destination!, reasoning).wire;
}

describe("inSibling", () => {
  it("sends what wants reasoning to OpenAI as a response", () => {
    expect(wireOf("gpt-5", HIGH)).toBe("openai-responses");
    expect(wireOf("gpt-5", HIGH, { n: 1, logprobs: false })).toBe("openai-responses");
  });

  it("leaves chats alone that want none, or what only chats have", () => {
    expect(wireOf("gpt-5", undefined)).toBe("openai-chat");
    expect(wireOf("gpt-5.2", { mode: "off" })).toBe("openai-chat");
    expect(wireOf("gpt-5", HIGH, { n: 2 })).toBe("openai-chat");
  });

  it("takes a body of responses there whatever it wants, also from the endpoint of chats", () => {
    expect(wireOf("gpt-5", HIGH, { messages: undefined, input: "Hi", top_logprobs: 2 })).toBe("openai-responses");
  });

  it("keeps to chat where the upstream has nothing else", () => {
    expect([wireOf("pinned", HIGH), wireOf("local", HIGH)]).toEqual(["openai-chat", "openai-chat"]);
  });
});

it("tells targets that could be told more in another format", () => {
  const [destination] = resolve({ model: "gpt-5", wire: "openai-chat" }, snapshot);
  expect([speaksSibling(destination!), speaksSibling({ ...destination!, wire: "openai-responses" })]).toEqual([
    true,
    false,
  ]);
});
