import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MODELS = { anthropic: "claude-sonnet-4-5", chat: "gpt-4o", responses: "gpt-5", gemini: "gemini-2.5-pro" };
const NAMES = Object.keys(MODELS);

let simulator: Simulator;
let gateway: Gateway;

beforeAll(async () => {
  simulator = await openSimulator();
  const key = { apiKey: "key", maxRetries: 0 };
  const upstreams = {
    anthropic: { kind: "anthropic", baseUrl: simulator.url, ...key },
    chat: { kind: "openai-compatible", baseUrl: `${simulator.url}/v1`, ...key },
    responses: { kind: "openai", baseUrl: `${simulator.url}/v1`, wire: "openai-responses", ...key },
    gemini: { kind: "gemini", baseUrl: simulator.url, ...key },
  };
  const routes = Object.entries(MODELS).map(([upstream, model]) => ({ match: `via-${upstream}`, upstream, model }));
  gateway = await openGateway({ file: { server: { port: 0 }, upstreams, routes } });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const PROMPT = 'simulate: call read {"path":"a.ts"}\nsimulate: say All read.';
const EMPTY_PROMPT = "simulate: call now {}\nsimulate: say It is noon.";
const SCHEMA = { type: "object" as const, properties: { path: { type: "string" as const } } };

describe.each(NAMES)("Anthropic's toolRunner on %s", (upstream) => {
  it.each([false, true])("continues without a thread, streaming %s", async (stream) => {
    const sdk = new Anthropic({ baseURL: gateway.url, apiKey: "key", maxRetries: 0 });
    const seen: unknown[] = [];
    const tool = betaTool({
      name: "read",
      description: "Reads a file.",
      inputSchema: SCHEMA,
      run: (input) => {
        seen.push(input);
        return "its content";
      },
    });
    const messages = [{ role: "user" as const, content: PROMPT }];
    const runner = sdk.beta.messages.toolRunner({
      model: `via-${upstream}`,
      max_tokens: 1_000,
      messages,
      tools: [tool],
      stream,
    });
    const { content } = await runner.runUntilDone();
    expect(seen).toEqual([{ path: "a.ts" }]);
    expect(content.at(-1)).toMatchObject({ type: "text", text: "All read." });
  });
});

it("rejects a thread with the code that Anthropic's SDK recovers from", async () => {
  const response = await fetch(`${gateway.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "key", "anthropic-version": "2026-10-21" },
    body: JSON.stringify({
      model: "via-chat",
      max_tokens: 9,
      messages: [{ role: "user", content: "Hi" }],
      thread: { type: "create" },
    }),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    type: "error",
    error: { type: "invalid_request_error", details: { error_code: "thread_unsupported_request" } },
  });
});

describe.each(NAMES)("OpenAI's runTools on %s", (upstream) => {
  it.each([
    ["with arguments", PROMPT, "read", { path: "a.ts" }, "All read."],
    ["without arguments", EMPTY_PROMPT, "now", {}, "It is noon."],
  ] as const)("runs a streamed call %s", async (_, prompt, name, input, text) => {
    const sdk = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "key", maxRetries: 0 });
    const seen: unknown[] = [];
    const runner = sdk.chat.completions.runTools({
      model: `via-${upstream}`,
      stream: true,
      messages: [{ role: "user", content: prompt }],
      tools: [
        {
          type: "function",
          function: {
            name,
            description: "A tool.",
            parameters: SCHEMA,
            parse: (given: string): object => JSON.parse(given),
            function: (given: object) => {
              seen.push(given);
              return "its content";
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe(text);
    expect(seen).toEqual([input]);
  });
});
