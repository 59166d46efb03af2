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
    expect(inputs.flatMap(unansweredIn)).toEqual([]);
  });
});

const SCREENSHOT = `data:image/png;base64,${"iVBORw0KGgo".repeat(60)}`;
const fields = (type: string, index: number) => ({ type, callId: `call-${index}`, status: "completed" });
/** Calls of the tools that the SDK runs for the vendor, with their results, and the text of the call before them. */
const HOSTED: Readonly<Record<string, (index: number) => readonly [object, object]>> = {
  computer: (index) => [
    { ...fields("computer_call", index), action: { type: "screenshot" } },
    { ...fields("computer_call_result", index), output: { type: "computer_screenshot", data: SCREENSHOT } },
  ],
  shell: (index) => [
    { ...fields("shell_call", index), action: { commands: [`cat ${"page ".repeat(30)}${index}`] } },
    {
      ...fields("shell_call_output", index),
      output: [{ stdout: `page ${index} `.repeat(100), stderr: "", outcome: { type: "exit", exitCode: 0 } }],
    },
  ],
  "apply-patch": (index) => [
    {
      ...fields("apply_patch_call", index),
      operation: { type: "update_file", path: "a.ts", diff: `+ line ${index}\n`.repeat(100) },
    },
    { ...fields("apply_patch_call_output", index), output: `Patched ${index}.` },
  ],
  "MCP approval": (index) => [
    {
      type: "hosted_tool_call",
      id: `mcpr-${index}`,
      name: "mcp_approval_request",
      status: "completed",
      providerData: {
        id: `mcpr-${index}`,
        name: "read",
        server_label: "docs",
        arguments: `{"page":"${"x ".repeat(200)}"}`,
      },
    },
    {
      type: "hosted_tool_call",
      name: "mcp_approval_response",
      providerData: { approve: true, approval_request_id: `mcpr-${index}` },
    },
  ],
};

describe.each(["sliding-truncation", "native", "smart"] as const)("%s", (strategy) => {
  it.each(Object.keys(HOSTED))("keeps each call of the %s tool with its result", async (tool) => {
    const pairs = Array.from({ length: 30 }, (_, index) => HOSTED[tool]?.(index) ?? []);
    const items = [{ role: "user", content: "Do it all." }, ...pairs.flat(), { role: "user", content: "Go on." }];
    for (const each of items.slice(1, -1)) expect(protocol.ModelItem.safeParse(each).error).toBeUndefined();
    const { messages, format, report } = await condenseMessages<object>(items, {
      model: "gpt-4.1",
      strategy,
      windowTokens: 6_000,
      reservedTokens: 500,
    });
    expect([format, report === undefined]).toEqual(["openai-agents", false]);
    expect(messages.length).toBeLessThan(items.length);
    const sides = pairs.map((pair) => pair.filter((item) => messages.includes(item)).length);
    expect(sides.filter((count) => count === 1)).toEqual([]);
    expect(sides).toContain(2);
  });
});

/** Returns the ids of calls without a result and of results without a call. */
function unansweredIn(items: readonly AgentInputItem[]): string[] {
  const idsOf = (types: RegExp) =>
    new Set(items.flatMap((item) => (types.test(item.type ?? "") && "callId" in item ? [String(item.callId)] : [])));
  return [...idsOf(/_call$/).symmetricDifference(idsOf(/_result$|_output$/))];
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
      { type: "computer_call", callId: "a", action: { type: "wait" }, providerData: {} },
      { type: "computer_call", call_id: "a", action: { type: "wait" } },
    ],
    [
      { type: "computer_call_result", callId: "a", output: { type: "computer_screenshot", data: "https://a" } },
      { type: "computer_call_output", call_id: "a", output: { type: "computer_screenshot", image_url: "https://a" } },
    ],
    [
      { type: "shell_call_output", callId: "a", output: [] },
      { type: "shell_call_output", call_id: "a", output: [] },
    ],
    [
      { type: "hosted_tool_call", name: "mcp_approval_response", providerData: { approval_request_id: "r" } },
      { type: "mcp_approval_response", approval_request_id: "r" },
    ],
    [
      { type: "hosted_tool_call", id: "h", name: "read", providerData: { type: "mcp_approval_request", id: "r" } },
      { type: "mcp_approval_request", id: "r" },
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
