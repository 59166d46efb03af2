import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import type { Condensation } from "@longhaul/condense";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { fileText, loopScript } from "../testing/calls.ts";
import { ASK } from "../testing/edits.ts";
import { prefixBreaks } from "../testing/prefix-breaks.ts";
import { SimulatedChatModel } from "../testing/simulated-chat-model.ts";
import { type FitMessagesOptions, fitMessages, fitMessagesHook, summarizeWith } from "./fit-messages.ts";

const WINDOW = 6_000;
const STEPS = 40;

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator({ models: { "gpt-4.1": { window: WINDOW } }, script: loopScript(STEPS) });
});
afterAll(() => simulator.close());

const read = tool(async ({ path }: { path: string }) => fileText(path), {
  name: "read",
  description: "Reads a file.",
  schema: z.object({ path: z.string() }),
});

/** Runs a LangGraph agent until it has read every file. */
async function runAgent(
  options: Partial<FitMessagesOptions>,
  llm = new SimulatedChatModel(simulator.url),
  prompt = "Be kind.",
) {
  const hook = fitMessagesHook({ model: "gpt-4.1", windowTokens: WINDOW, maxOutputTokens: 500, ...options });
  const agent = createReactAgent({ llm, tools: [read], prompt, preModelHook: hook });
  const start = { messages: [new HumanMessage("Read all the files.")] };
  const { messages }: { messages: BaseMessage[] } = await agent.invoke(start, { recursionLimit: 1_000 });
  return { messages, sent: llm.sent };
}

describe("a LangGraph agent whose loop outgrows the window", () => {
  it.each(["middle-out", "smart", "truncation", "lossless", "native"] as const)(
    "runs to its end: %s",
    async (strategy) => {
      const condensations: Condensation[] = [];
      const { messages, sent } = await runAgent({ strategy, onCondensed: (done) => condensations.push(done) });
      expect(messages.at(-1)?.text).toBe("All read.");
      expect(messages).toHaveLength(2 * STEPS + 2);
      expect(sent).toHaveLength(STEPS + 1);
      expect(condensations.length).toBeGreaterThan(0);
      expect(condensations.length).toBeLessThan(STEPS / 3);
      expect(prefixBreaks(sent)).toBeLessThanOrEqual(condensations.length);
    },
  );

  it("is refused without the hook", async () => {
    await expect(runAgent({ windowTokens: 1_000_000 })).rejects.toThrow("maximum context length");
  });

  it("is sent unchanged with full-history, so that the vendor refuses it", async () => {
    const condensations: Condensation[] = [];
    const llm = new SimulatedChatModel(simulator.url);
    const onCondensed = (done: Condensation) => condensations.push(done);
    const options = { strategy: "full-history", onCondensed } as const;
    await expect(runAgent(options, llm)).rejects.toThrow("maximum context length");
    expect(condensations).toEqual([]);
    expect(prefixBreaks(llm.sent)).toBe(0);
  });

  it("runs with a long prompt of its own that no hook sees", async () => {
    const { messages } = await runAgent({}, undefined, "Be kind, please. ".repeat(400));
    expect(messages.at(-1)?.text).toBe("All read.");
  });

  it("gets its summaries from a given model", async () => {
    const reports: Condensation[] = [];
    const summarizer = new SimulatedChatModel(simulator.url);
    await runAgent({ summarizer, onCondensed: (done) => reports.push(done) });
    expect(summarizer.sent.length).toBeGreaterThan(0);
    expect(reports.every(({ report }) => report.strategy === "native" && report.fallbacks.length === 0)).toBe(true);
  });
});

describe("fitMessages", () => {
  it("returns the same messages if they fit", async () => {
    const messages = [new SystemMessage("Be kind."), new HumanMessage("Hello"), new AIMessage("Hello!")];
    const fitted = await fitMessages({ model: "gpt-4.1" })(messages);
    expect(fitted).toHaveLength(3);
    expect(fitted.every((message, index) => message === messages[index])).toBe(true);
  });

  it("uses a reply's usage as the size of the messages before it, whatever the number of instructions", async () => {
    const condensations: Condensation[] = [];
    const onCondensed = (done: Condensation) => condensations.push(done);
    const fit = fitMessages({ model: "gpt-4.1", windowTokens: 8_000, reservedTokens: 500, onCondensed });
    const reply = new AIMessage("many words ".repeat(1_900));
    const usage = { input_tokens: 4_000, output_tokens: 3_800, total_tokens: 7_800 };
    const messages = [new SystemMessage("Be kind."), new HumanMessage("Hello"), reply, new HumanMessage("And now?")];
    await fit(messages);
    expect(condensations).toHaveLength(0);
    Object.assign(reply, { usage_metadata: usage });
    await fit(messages);
    expect(condensations).toHaveLength(1);
  });

  it("keeps the first instructions and the latest message", async () => {
    const talk = Array.from({ length: 200 }, (_, turn) => {
      const said = `Turn ${turn}: ${"many words ".repeat(40)}`;
      return turn % 2 === 0 ? new HumanMessage(said) : new AIMessage(said);
    });
    const messages = [new SystemMessage("Be kind."), ...talk, new HumanMessage("And now?")];
    const fitted = await fitMessages({ model: "gpt-4.1", windowTokens: 5_000, reservedTokens: 500 })(messages);
    expect(fitted.length).toBeLessThan(100);
    expect([fitted[0]?.text, fitted.at(-1)?.text]).toEqual(["Be kind.", "And now?"]);
  });
});

it("sends the instructions and the messages", async () => {
  const asked: string[] = [];
  const invoke = async (text: string) => {
    asked.push(text);
    return new AIMessage(" They said hello. ");
  };
  expect(await summarizeWith({ invoke })(ASK)).toEqual({ kind: "text", text: "They said hello." });
  expect(asked[0]).toMatch(/Sum it up\..*Hello/s);
});

it("fails if the model writes nothing", async () => {
  expect(await summarizeWith({ invoke: async () => new AIMessage("") })(ASK)).toMatchObject({ kind: "failed" });
});
