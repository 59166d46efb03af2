import { PIXEL_PNG } from "@longhaul/conversation/testing";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicClient } from "./anthropic-client.ts";
import { chatClient } from "./chat-client.ts";
import type { Client, Task } from "./client.ts";
import { geminiClient } from "./gemini-client.ts";
import { responsesClient } from "./responses-client.ts";

/** Upstream formats by a model name that is routed to them. */
const UPSTREAMS = [
  { wire: "anthropic-messages", model: "via-anthropic", name: "claude-sonnet-4-5" },
  { wire: "openai-chat", model: "via-chat", name: "gpt-4o" },
  { wire: "openai-responses", model: "via-responses", name: "gpt-5" },
  { wire: "gemini", model: "via-gemini", name: "gemini-2.5-pro" },
] as const;

const CLIENTS = [anthropicClient, chatClient, responsesClient, geminiClient];

let simulator: Simulator;
let gateway: Gateway;
let clients: readonly Client[] = [];

beforeAll(async () => {
  simulator = await openSimulator();
  const key = { apiKey: "key", maxRetries: 0 };
  const upstreams = {
    anthropic: { kind: "anthropic", baseUrl: simulator.url, ...key },
    chat: { kind: "openai-compatible", baseUrl: `${simulator.url}/v1`, ...key },
    responses: { kind: "openai", baseUrl: `${simulator.url}/v1`, wire: "openai-responses", ...key },
    gemini: { kind: "gemini", baseUrl: simulator.url, ...key },
  };
  const routes = UPSTREAMS.map(({ model, name }) => ({
    match: model,
    upstream: model.slice("via-".length),
    model: name,
  }));
  gateway = await openGateway({ file: { server: { port: 0 }, upstreams, routes } });
  clients = CLIENTS.map((make) => make(gateway.url));
});
beforeEach(() => simulator.reset());
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const pairs = CLIENTS.flatMap((_, client) =>
  UPSTREAMS.flatMap((upstream) => [false, true].map((stream) => ({ client, ...upstream, stream }))),
);
const named = pairs.map(
  (pair) =>
    [
      ["anthropic", "chat", "responses", "gemini"][pair.client],
      pair.wire,
      pair.stream ? "streaming" : "whole",
      pair,
    ] as const,
);

function run(pair: (typeof pairs)[number], task: Omit<Task, "model" | "stream">) {
  return clients[pair.client]!.run({ model: pair.model, stream: pair.stream, ...task });
}

describe.each(named)("the %s client on %s, %s", (_, wire, __, pair) => {
  it("text", async () => {
    const outcome = await run(pair, { prompt: "simulate: say Grüße, 世界! 😀", system: "Be kind." });
    expect(outcome).toMatchObject({ text: "Grüße, 世界! 😀", rounds: [] });
    expect(outcome.inputTokens).toBeGreaterThan(0);
    expect(outcome.outputTokens).toBeGreaterThan(0);
  });

  it("sequential tools", async () => {
    const prompt = 'simulate: call read {"path":"{step}.ts"}\nsimulate: times 3\nsimulate: say All read.';
    const outcome = await run(pair, { prompt, tools: ["read"] });
    expect(outcome.rounds).toEqual(["1", "2", "3"].map((step) => [{ name: "read", input: { path: `${step}.ts` } }]));
    expect(outcome.text).toBe("All read.");
  });

  it("parallel tools", async () => {
    const prompt =
      'simulate: call read {"path":"a"}\nsimulate: call write {"path":"b"}\nsimulate: comment Both at once.\nsimulate: say Done.';
    const outcome = await run(pair, { prompt, tools: ["read", "write"] });
    expect(outcome.rounds).toEqual([
      [
        { name: "read", input: { path: "a" } },
        { name: "write", input: { path: "b" } },
      ],
    ]);
    expect(outcome.text).toBe("Done.");
  });

  it("images", async () => {
    const outcome = await run(pair, { prompt: "simulate: say Seen.", image: PIXEL_PNG });
    expect(outcome.text).toBe("Seen.");
    expect(JSON.stringify(simulator.requests().at(-1))).toContain(PIXEL_PNG);
  });

  it("thinking, including a tool loop", async () => {
    const prompt =
      'simulate: think 60\nsimulate: call read {"path":"{step}.ts"}\nsimulate: times 2\nsimulate: say Thought through.';
    const outcome = await run(pair, { prompt, tools: ["read"], think: wire !== "openai-chat" });
    expect([outcome.rounds.length, outcome.text]).toEqual([2, "Thought through."]);
  });

  it("errors with the messages that the client matches", async () => {
    const prompt = "too long ".repeat(500_000);
    await expect(run(pair, { prompt })).rejects.toThrow(OVERFLOW[clients[pair.client]!.wire]);
  });
});

const OVERFLOW: Readonly<Record<string, RegExp>> = {
  "anthropic-messages": /prompt is too long/,
  "openai-chat": /maximum context length is \d+ tokens|context_length_exceeded|exceeds the context window/,
  "openai-responses": /exceeds the context window/,
  gemini: /exceeds the maximum number of tokens allowed/,
};
