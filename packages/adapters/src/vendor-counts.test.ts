import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { tool as chainTool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { type Conversation, LonghaulError, textBlock } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodePrompt } from "./ai-sdk/decode-prompt.ts";
import { fitToWindow } from "./ai-sdk/fit-to-window.ts";
import { decodeMessages } from "./langchain/decode-messages.ts";
import { fitMessagesHook } from "./langchain/fit-messages.ts";
import { fileText } from "./testing/calls.ts";

const WINDOW = 5_000;
const REPLY = 500;
const CALLS = 64;
const counters = makeTokenCounters();

/** A vendor whose tokens are not ours. It refuses prompts that do not fit, and reports its own count. */
function makeVendor(factor: number) {
  const condensedAt: number[] = [];
  let calls = 0;
  return {
    condensedAt,
    calls: () => calls,
    onCondensed: () => condensedAt.push(calls),
    async count(conversation: Conversation): Promise<number> {
      const counter = await counters.counterFor("o200k");
      const tokens = Math.round(factor * counter.countConversation(conversation));
      if (tokens + REPLY > WINDOW) throw new LonghaulError("request.too-large", `${tokens} tokens are too many`);
      calls++;
      return tokens;
    },
  };
}

type Vendor = ReturnType<typeof makeVendor>;

async function runAiSdk(vendor: Vendor): Promise<string> {
  const model = new MockLanguageModelV4({
    modelId: "gpt-4.1",
    doGenerate: async ({ prompt, tools }: LanguageModelV4CallOptions) => {
      const total = await vendor.count(decodePrompt(prompt, tools));
      const input = JSON.stringify({ path: `src/${vendor.calls()}.ts` });
      const call = { type: "tool-call", toolCallId: `call-${vendor.calls()}`, toolName: "read", input } as const;
      return {
        content: [vendor.calls() < CALLS ? call : { type: "text", text: "All read." }],
        finishReason: { unified: vendor.calls() < CALLS ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  const { onCondensed } = vendor;
  const middleware = fitToWindow({ windowTokens: WINDOW, strategy: "smart", summarizer: "none", onCondensed });
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware }),
    prompt: "Read all the files.",
    tools: {
      read: tool({
        inputSchema: jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } }),
        execute: async ({ path }) => fileText(path),
      }),
    },
    maxOutputTokens: REPLY,
    maxRetries: 0,
    stopWhen: stepCountIs(CALLS + 5),
  });
  return text;
}

/** A chat model that reads files until it has made enough calls. */
class VendorChatModel extends BaseChatModel {
  readonly #vendor: Vendor;

  constructor(vendor: Vendor) {
    super({ maxRetries: 0 });
    this.#vendor = vendor;
  }

  override _llmType(): string {
    return "vendor";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    // The agent's tools, which no hook sees.
    const tools = textBlock("Tool read: reads a file. ".repeat(40));
    const { system, ...rest } = decodeMessages(messages);
    const input_tokens = await this.#vendor.count({ ...rest, system: [...system, tools] });
    const calls = this.#vendor.calls();
    const call = { type: "tool_call" as const, id: `call-${calls}`, name: "read", args: { path: `src/${calls}.ts` } };
    const message = new AIMessage(calls < CALLS ? { content: "", tool_calls: [call] } : "All read.");
    const usage_metadata = { input_tokens, output_tokens: 20, total_tokens: input_tokens + 20 };
    return { generations: [{ text: message.text, message: Object.assign(message, { usage_metadata }) }] };
  }
}

async function runLangGraph(vendor: Vendor): Promise<string> {
  const read = chainTool(async ({ path }: { path: string }) => fileText(path), {
    name: "read",
    schema: z.object({ path: z.string() }),
  });
  const { onCondensed } = vendor;
  const options = { model: "gpt-4.1", windowTokens: WINDOW, maxOutputTokens: REPLY, onCondensed };
  const preModelHook = fitMessagesHook({ ...options, strategy: "smart" });
  const agent = createReactAgent({ llm: new VendorChatModel(vendor), tools: [read], preModelHook });
  const start = { messages: [new HumanMessage("Read all the files.")] };
  const { messages }: { messages: BaseMessage[] } = await agent.invoke(start, { recursionLimit: 1_000 });
  return messages.at(-1)?.text ?? "";
}

describe.each([
  ["AI SDK", runAiSdk],
  ["LangGraph", runLangGraph],
])("a loop of %s with a vendor that counts differently", (_, run) => {
  it("is never refused, and condenses earlier or later as the vendor counts more or less", async () => {
    const first: number[] = [];
    for (const factor of [0.8, 1, 1.3]) {
      const vendor = makeVendor(factor);
      expect([factor, await run(vendor), vendor.calls()]).toEqual([factor, "All read.", CALLS]);
      expect(vendor.condensedAt.length).toBeGreaterThan(1);
      first.push(vendor.condensedAt[0] ?? 0);
    }
    const [less = 0, same = 0, more = 0] = first;
    expect([less > same, same > more]).toEqual([true, true]);
  });
});
