import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Condensation } from "@longhaul/condense";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fileText, loopScript } from "../testing/calls.ts";
import { ASK } from "../testing/edits.ts";
import { prefixBreaks } from "../testing/prefix-breaks.ts";
import { type FitOptions, fitToWindow, summarizeWith } from "./fit-to-window.ts";

const WINDOW = 8_000;
const STEPS = 40;

let simulator: Simulator;
beforeAll(async () => {
  const models = { "claude-sonnet-4-5": { window: WINDOW }, "gpt-4.1": { window: WINDOW } };
  simulator = await openSimulator({ models, script: loopScript(STEPS) });
});
afterAll(() => simulator.close());
let earlier = 0;
beforeEach(() => {
  earlier = simulator.requests().length;
});

const PROVIDERS: readonly (readonly [string, string, () => LanguageModelV4])[] = [
  [
    "Anthropic",
    "messages",
    () => createAnthropic({ baseURL: `${simulator.url}/v1`, apiKey: "key" })("claude-sonnet-4-5"),
  ],
  ["OpenAI (Responses)", "input", () => createOpenAI({ baseURL: `${simulator.url}/v1`, apiKey: "key" })("gpt-4.1")],
  ["OpenAI (chat)", "messages", () => createOpenAI({ baseURL: `${simulator.url}/v1`, apiKey: "key" }).chat("gpt-4.1")],
];

const tools = {
  read: tool({
    description: "Reads a file.",
    inputSchema: jsonSchema<{ path: string }>({
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    }),
    execute: async ({ path }) => fileText(path),
  }),
};

function callOf(model: LanguageModelV4, options: FitOptions) {
  return {
    model: wrapLanguageModel({ model, middleware: fitToWindow({ windowTokens: WINDOW, ...options }) }),
    prompt: "Read all the files.",
    tools,
    maxOutputTokens: 500,
    maxRetries: 0,
    stopWhen: stepCountIs(STEPS + 5),
  };
}

/** The messages of the loop's own requests, without requests for summaries. */
function promptsSent(key: string): unknown[][] {
  const bodies = simulator
    .requests()
    .slice(earlier)
    .map(({ body }) => Object(body));
  return bodies.filter(({ tools: given }) => given !== undefined).map((body) => body[key]);
}

describe.each(PROVIDERS)("a loop that outgrows the window, with the provider of %s", (_, key, model) => {
  it.each(["native", "middle-out", "smart", "truncation", "lossless"] as const)(
    "runs to its end: %s",
    async (strategy) => {
      const condensations: Condensation[] = [];
      const onCondensed = (done: Condensation) => condensations.push(done);
      const { text, steps } = await generateText(callOf(model(), { strategy, onCondensed }));
      expect([text, steps.length]).toEqual(["All read.", STEPS + 1]);
      expect(condensations.length).toBeGreaterThan(0);
      expect(condensations.length).toBeLessThan(STEPS / 3);
      expect(
        simulator
          .requests()
          .slice(earlier)
          .filter(({ rejected }) => rejected !== undefined),
      ).toEqual([]);
      expect(promptsSent(key)).toHaveLength(STEPS + 1);
      expect(prefixBreaks(promptsSent(key))).toBeLessThanOrEqual(condensations.length);
    },
  );
});

describe("a tool loop", () => {
  const [[, , claude]] = PROVIDERS as [(typeof PROVIDERS)[number]];

  it("is refused without the middleware", async () => {
    await expect(generateText({ ...callOf(claude(), {}), model: claude() })).rejects.toThrow("prompt is too long");
  });

  it("is sent unchanged with full-history, so that the vendor refuses it", async () => {
    const condensations: Condensation[] = [];
    const onCondensed = (done: Condensation) => condensations.push(done);
    const options = { strategy: "full-history", onCondensed } as const;
    await expect(generateText(callOf(claude(), options))).rejects.toThrow("prompt is too long");
    expect(condensations).toEqual([]);
    expect(prefixBreaks(promptsSent("messages"))).toBe(0);
  });

  it("streams to its end", async () => {
    const result = streamText(callOf(claude(), {}));
    let text = "";
    for await (const delta of result.textStream) text += delta;
    expect(text).toBe("All read.");
  });

  it("gets its summaries from another model, or from none", async () => {
    const small = createAnthropic({ baseURL: `${simulator.url}/v1`, apiKey: "key" })("claude-3-5-haiku-latest");
    await generateText(callOf(claude(), { summarizer: small }));
    const asked = () =>
      simulator
        .requests()
        .slice(earlier)
        .filter(({ body }) => Object(body).tools === undefined);
    expect(asked().length).toBeGreaterThan(0);
    expect(asked().every(({ body }) => Object(body).model === "claude-3-5-haiku-latest")).toBe(true);
    earlier = simulator.requests().length;
    await generateText(callOf(claude(), { summarizer: "none", strategy: "native" }));
    expect(asked()).toEqual([]);
  });
});

describe("the vendor's token count", () => {
  const model = createAnthropic({ apiKey: "key" })("claude-sonnet-4-5");
  const said = Array.from({ length: 30 }, (_, index) => fileText(`src/part-${index}.ts`));
  const params: LanguageModelV4CallOptions = {
    prompt: said.map((text, index) => ({ role: index % 2 ? "assistant" : "user", content: [{ type: "text", text }] })),
    maxOutputTokens: 100,
  };

  /** Returns how often a prompt is condensed that fits by our own count but not by the vendor's, after a reply has reported it. */
  async function condensedAfter(
    report: (middleware: Middleware, sent: LanguageModelV4CallOptions) => Promise<unknown>,
  ) {
    let condensed = 0;
    const options: FitOptions = { summarizer: "none", strategy: "middle-out", onCondensed: () => condensed++ };
    const middleware = fitToWindow({ windowTokens: Math.ceil(OURS * 1.2), ...options });
    const send = async () => await middleware.transformParams?.({ type: "stream", params, model });
    await report(middleware, (await send()) ?? params);
    expect(condensed).toBe(0);
    await send();
    return condensed;
  }

  type Middleware = ReturnType<typeof fitToWindow>;
  const OURS = Math.ceil(said.join("").length / 3);
  const usage = {
    inputTokens: { total: OURS * 1.5, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
  };
  const finish = { type: "finish" as const, usage, finishReason: { unified: "stop" as const, raw: undefined } };
  const result = { ...finish, content: [], warnings: [] };
  const stream = new ReadableStream<typeof finish>({
    start: (reply) => {
      reply.enqueue(finish);
      reply.close();
    },
  });
  const doing = { doGenerate: async () => result, doStream: async () => ({ stream }), model };

  it("is learned from a reply and from a stream", async () => {
    expect(await condensedAfter(async () => {})).toBe(0);
    expect(await condensedAfter(async ({ wrapGenerate }, sent) => wrapGenerate?.({ ...doing, params: sent }))).toBe(1);
    const drain = async ({ wrapStream }: Middleware, sent: LanguageModelV4CallOptions) => {
      const answer = await wrapStream?.({ ...doing, params: sent });
      for await (const _ of answer?.stream ?? []);
    };
    expect(await condensedAfter(drain)).toBe(1);
  });
});

function makeModel(text: string, noCache?: number): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    modelId: "mock",
    doGenerate: {
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text },
      ],
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 30, noCache, cacheRead: 10, cacheWrite: undefined },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
      warnings: [],
    },
  });
}

it.each([undefined, 20])("asks the model in one message and returns its usage (%s)", async (noCache) => {
  const model = makeModel(" They said hello. ", noCache);
  expect(await summarizeWith(model)(ASK)).toEqual({
    kind: "text",
    text: "They said hello.",
    model: "mock",
    usage: { inputTokens: 20, cacheReadTokens: 10, cacheWriteTokens: 0, outputTokens: 5 },
  });
  expect(model.doGenerateCalls[0]).toMatchObject({ maxOutputTokens: 50, prompt: [{ role: "user" }] });
  expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toMatch(/Sum it up\..*Hello/);
});

it("fails if the model writes nothing", async () => {
  expect(await summarizeWith(makeModel(" "))(ASK)).toMatchObject({ kind: "failed", why: "mock wrote nothing" });
});
