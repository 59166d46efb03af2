import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATH_SCHEMA, resultOf } from "./client.ts";

let simulator: Simulator;
let gateway: Gateway;

beforeAll(async () => {
  simulator = await openSimulator();
  const upstreams = {
    claude: { kind: "anthropic", baseUrl: simulator.url, apiKey: "key" },
    chat: { kind: "openai-compatible", baseUrl: `${simulator.url}/v1`, apiKey: "key" },
  };
  const routes = [
    { match: "claude-*", upstream: "claude" },
    { match: "*", upstream: "chat" },
  ];
  gateway = await openGateway({ file: { server: { port: 0 }, upstreams, routes } });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const MODELS: readonly (readonly [string, () => LanguageModel])[] = [
  [
    "Anthropic's provider on Claude",
    () => createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: "key" })("claude-sonnet-4-5"),
  ],
  [
    "Anthropic's provider on a chat upstream",
    () => createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: "key" })("gpt-4o"),
  ],
  [
    "OpenAI's provider (Responses) on Claude",
    () => createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "key" })("claude-sonnet-4-5"),
  ],
  [
    "OpenAI's provider (chat) on Claude",
    () => createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "key" }).chat("claude-sonnet-4-5"),
  ],
];

/** Two rounds of tool calls, then a final text. */
const PROMPT = 'simulate: call read {"path":"{step}.ts"}\nsimulate: times 2\nsimulate: say Both read.';
const tools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: jsonSchema(PATH_SCHEMA),
    execute: async (input) => resultOf(input),
  }),
};

describe.each(MODELS)("the AI SDK: %s", (_, model) => {
  it("runs a tool loop", async () => {
    const { text, steps } = await generateText({
      model: model(),
      prompt: PROMPT,
      tools,
      stopWhen: stepCountIs(5),
      maxRetries: 0,
    });
    expect(text).toBe("Both read.");
    expect(steps.flatMap(({ toolCalls }) => toolCalls.map(({ input }) => input))).toEqual([
      { path: "1.ts" },
      { path: "2.ts" },
    ]);
  });

  it("streams a tool loop", async () => {
    const result = streamText({ model: model(), prompt: PROMPT, tools, stopWhen: stepCountIs(5), maxRetries: 0 });
    let text = "";
    for await (const delta of result.textStream) text += delta;
    expect(text).toBe("Both read.");
    expect((await result.steps).length).toBe(3);
    expect((await result.totalUsage).inputTokens).toBeGreaterThan(0);
  });
});
