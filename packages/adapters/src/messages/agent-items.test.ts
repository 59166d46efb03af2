import { Agent, type AgentInputItem, protocol, Runner, tool } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prefixBreaks } from "../testing/prefix-breaks.ts";
import { isAgentItem, toAgentItem, toResponsesItem } from "./agent-items.ts";
import { condenseMessages, fitMessages } from "./condense-messages.ts";

const CALLS = 60;
const WINDOW = 8_000;

describe("a run of the OpenAI Agents SDK with callModelInputFilter", () => {
  it("sends inputs that fit, that the SDK accepts, and that keep their prefix", async () => {
    const read = tool({
      name: "read",
      description: "Reads a page.",
      parameters: z.object({ page: z.number() }),
      execute: ({ page }) => `Page ${page}\n${`page ${page} says something of its own. `.repeat(40)}`,
    });
    const steps = Array.from({ length: CALLS }, (_, page) => [
      functionCall("read", { page }, { callId: `call-${page}` }),
    ]);
    const model = new ScriptedModel([...steps, [assistantMessage("Done.")]]);
    const agent = new Agent({ name: "Reader", instructions: "Read all pages.", tools: [read], model });
    const fit = fitMessages({ model: "gpt-4.1", format: "openai-agents", windowTokens: WINDOW, reservedTokens: 500 });
    const sizes: number[] = [];
    let condensations = 0;
    const runner = new Runner({
      tracingDisabled: true,
      callModelInputFilter: async ({ modelData }) => {
        const { messages, tokens, report } = await fit(modelData.input);
        sizes.push(tokens);
        if (report !== undefined) condensations++;
        return { ...modelData, input: messages };
      },
    });
    const { finalOutput } = await runner.run(agent, "Read all pages.", { maxTurns: CALLS + 1 });
    const inputs = model.calls.map(({ request: { input } }) => (typeof input === "string" ? [] : input));
    expect([finalOutput, inputs.length]).toEqual(["Done.", CALLS + 1]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(WINDOW - 500);
    expect(condensations).toBeGreaterThan(1);
    expect(prefixBreaks(inputs)).toBe(condensations);
    for (const input of inputs) expect(input.filter((item) => !protocol.ModelItem.safeParse(item).success)).toEqual([]);
    expect(unansweredIn(inputs.at(-1) ?? [])).toEqual([]);
  });
});

function unansweredIn(items: readonly AgentInputItem[]): string[] {
  const idsOf = (type: string) =>
    new Set(items.flatMap((item) => (item.type === type && "callId" in item ? [String(item.callId)] : [])));
  return [...idsOf("function_call").symmetricDifference(idsOf("function_call_result"))];
}

describe("items of the Agents SDK", () => {
  it("are recognized by their calls", async () => {
    const call = { type: "function_call", callId: "a", name: "read", arguments: "{}" };
    expect([isAgentItem(call), isAgentItem({ ...call, callId: undefined, call_id: "a" })]).toEqual([true, false]);
    expect((await condenseMessages([call], { model: "gpt-4.1" })).format).toBe("openai-agents");
  });

  it.each([
    [
      { type: "function_call", callId: "a", name: "read", arguments: "{}", providerData: {} },
      { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
    ],
    [
      { type: "function_call_result", callId: "a", name: "read", output: "text" },
      { type: "function_call_output", call_id: "a", name: "read", output: "text" },
    ],
    [
      {
        type: "function_call_result",
        callId: "a",
        output: { type: "image", image: { data: "AAAA", mediaType: "image/png" } },
      },
      {
        type: "function_call_output",
        call_id: "a",
        output: [{ type: "input_image", image_url: "data:image/png;base64,AAAA" }],
      },
    ],
    [
      {
        role: "user",
        content: [
          { type: "input_image", image: { id: "file-1" } },
          { type: "input_file", file: { url: "https://a" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "input_image", file_id: "file-1" },
          { type: "input_file", file_url: "https://a" },
        ],
      },
    ],
    [
      { type: "reasoning", id: "r", content: [{ type: "input_text", text: "Hm." }] },
      { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "Hm." }] },
    ],
    [
      { type: "hosted_tool_call", name: "search" },
      { type: "hosted_tool_call", name: "search" },
    ],
  ])("become items of the Responses API: %j", (item, expected) => {
    expect(toResponsesItem(item)).toEqual(expected);
  });

  it("are written with the names and the status of the originals", () => {
    const original = { type: "function_call_result", callId: "a", name: "read", status: "incomplete", output: "long" };
    const written = { type: "function_call_output", call_id: "a", output: "short" };
    expect(toAgentItem(written, original)).toEqual({ ...original, output: "short" });
    expect(toAgentItem({ role: "assistant", content: "Hi." }, undefined)).toEqual({
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hi." }],
    });
  });
});
