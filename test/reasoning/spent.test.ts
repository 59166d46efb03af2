import type { Usage } from "@longhaul/conversation";
import { costOf, findModel, loadCatalog } from "@longhaul/models";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { anthropicClient } from "../conformance/anthropic-client.ts";
import { chatClient } from "../conformance/chat-client.ts";
import { geminiClient } from "../conformance/gemini-client.ts";
import { responsesClient } from "../conformance/responses-client.ts";
import { openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.simulator.reset());
afterAll(() => rig.close());

const CLIENTS = {
  messages: anthropicClient,
  chat: chatClient,
  responses: responsesClient,
  gemini: geminiClient,
} as const;

/** Every way in which vendors report reasoning, and where the catalog has their prices. */
const SHAPES = [
  ["anthropic", "claude-sonnet-4-5:4k", { reported: "in output_tokens", platform: "anthropic" }],
  ["openai", "o4-mini:high", { reported: "in output_tokens_details", platform: "openai" }],
  ["openai-compatible", "gpt-5:high", { reported: "in completion_tokens_details", platform: "openai" }],
  ["openrouter", "openai/gpt-5:high", { reported: "in completion_tokens_details", platform: "openrouter" }],
  ["thinking-chat", "deepseek-v4-pro:high", { reported: "in completion_tokens_details", platform: "deepseek" }],
  ["gemini", "gemini-2.5-flash:4k", { reported: "in thoughtsTokenCount, apart from the answer", platform: "google" }],
] as const;

const PROMPT = "simulate: think 300\nsimulate: say Done.";

const cases = SHAPES.flatMap((shape) =>
  (["messages", "chat", "responses", "gemini"] as const).flatMap((client) =>
    [true, false].map((stream) => [client, ...shape, stream] as const),
  ),
);

describe.each(cases)("%s client, %s upstream, %s", (client, upstream, model, { reported, platform }, stream) => {
  it(`counts reasoning ${reported} as written and paid for (streaming: ${stream})`, async () => {
    const sdk = CLIENTS[client]((await rig.gateway({ upstream })).url);
    const logged = rig.log().length;
    const { outputTokens } = await sdk.run({ model, stream, prompt: PROMPT });
    const [bill] = rig.simulator.requests();
    const { thinkingTokens = 0, costUsd = 0 } = bill ?? {};
    expect(thinkingTokens).toBeGreaterThan(200);
    const line = await finishedLine(logged);
    expect([outputTokens, line.outputTokens]).toEqual([bill?.outputTokens, bill?.outputTokens]);
    expect(line.reasoningTokens).toBe(thinkingTokens);
    const { prices } = findModel(await loadCatalog(), bill?.model ?? "", platform).model;
    if (prices === undefined) throw new Error(`the catalog has no price for ${bill?.model}`);
    expect(costUsd).toBeGreaterThan((thinkingTokens * prices.output) / 1_000_000);
    expect(costOf(line, prices)).toBeCloseTo(costUsd, 9);
  });
});

const PATIENT = { timeout: 60_000 };

/** The usage in the line of the request that was logged after this many lines. */
async function finishedLine(logged: number): Promise<Usage> {
  return await vi.waitFor(() => {
    const line = rig
      .log()
      .slice(logged)
      .find(({ msg }) => msg === "request finished");
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = Object(line);
    expect(outputTokens).toBeTypeOf("number");
    return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };
  }, PATIENT);
}
