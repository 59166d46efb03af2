import { toolPairs } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { jsonSchema, tool } from "ai";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { decodeModelMessages } from "../ai-sdk/model-messages.ts";
import { prefixBreaks } from "../testing/prefix-breaks.ts";
import { toResponsesItem } from "./agent-items.ts";
import { condenseMessages, fitMessages } from "./condense-messages.ts";
import type { MessageFormat, Tools } from "./formats.ts";

const LINES = Array.from({ length: 120 }, (_, line) => `line ${line} of a file that says something of its own`).join(
  "\n",
);
const ROUNDS = 12;

/** One round of a tool loop in each format. */
const LOOPS: Readonly<Record<MessageFormat, (id: string) => unknown[]>> = {
  "openai-chat": (id) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "read", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: id, content: `${id}\n${LINES}` },
  ],
  "openai-responses": (id) => [
    { type: "function_call", call_id: id, name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: id, output: `${id}\n${LINES}` },
  ],
  "anthropic-messages": (id) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `${id}\n${LINES}` }] },
  ],
  gemini: (id) => [
    { role: "model", parts: [{ functionCall: { id, name: "read", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { id, name: "read", response: { output: `${id}\n${LINES}` } } }] },
  ],
  "openai-agents": (id) => [
    { type: "function_call", callId: id, name: "read", arguments: "{}", status: "completed" },
    {
      type: "function_call_result",
      callId: id,
      name: "read",
      status: "completed",
      output: { type: "text", text: `${id}\n${LINES}` },
    },
  ],
  "ai-sdk": (id) => [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "read", input: {} }] },
    {
      role: "tool",
      content: [
        { type: "tool-result", toolCallId: id, toolName: "read", output: { type: "text", value: `${id}\n${LINES}` } },
      ],
    },
  ],
};

function userMessage(format: MessageFormat, text: string): unknown {
  return format === "gemini" ? { role: "user", parts: [{ text }] } : { role: "user", content: text };
}

function makeLoop(format: MessageFormat, rounds = ROUNDS): unknown[] {
  const steps = Array.from({ length: rounds }, (_, round) => LOOPS[format](`call-${round}`)).flat();
  return [userMessage(format, "Read all the files."), ...steps, userMessage(format, "What do they say?")];
}

function decode(format: MessageFormat, messages: readonly unknown[]) {
  if (format === "ai-sdk") return decodeModelMessages(messages);
  const isAgents = format === "openai-agents";
  const { decodeRequest, messagesField } = codecOf(isAgents ? "openai-responses" : format);
  const wire = isAgents ? messages.map(toResponsesItem) : messages;
  return decodeRequest({ model: "any", [messagesField]: wire }).conversation;
}

const FORMATS = Object.keys(LOOPS).filter((name): name is MessageFormat => name in LOOPS);
const OPTIONS = { model: "gpt-4.1", budget: 4_000 };

describe.each(FORMATS)("condenseMessages with %s", (format) => {
  it.each(["smart", "middle-out", "native", "truncation"] as const)("returns the same format: %s", async (strategy) => {
    const messages = makeLoop(format);
    const before = structuredClone(messages);
    const condensed = await condenseMessages(messages, { ...OPTIONS, strategy });
    expect([condensed.format, messages]).toEqual([format, before]);
    expect(condensed.tokens).toBeLessThanOrEqual(OPTIONS.budget);
    expect(condensed.report?.milliseconds).toBeGreaterThanOrEqual(0);
    const { pairs, orphans } = toolPairs(decode(format, condensed.messages).messages);
    expect([orphans, pairs.filter(({ result }) => result === undefined)]).toEqual([[], []]);
    expect(condensed.messages.at(-1)).toBe(messages.at(-1));
  });

  it("returns messages that fit as the identical objects, without a report", async () => {
    const messages = makeLoop(format, 1);
    const { messages: same, report } = await condenseMessages(messages, { model: "gpt-4.1" });
    expect(same.every((message, index) => message === messages[index])).toBe(true);
    expect([same.length, report]).toEqual([messages.length, undefined]);
  });

  it("accepts open calls at the end", async () => {
    const [call] = LOOPS[format]("open");
    const messages = [...makeLoop(format), call];
    const condensed = await condenseMessages(messages, OPTIONS);
    expect(condensed.messages.at(-1)).toBe(call);
  });

  it("keeps the prefix of a growing conversation between condensations", async () => {
    let condensations = 0;
    const fit = fitMessages({ model: "gpt-4.1", windowTokens: 6_000, reservedTokens: 500 });
    const prompts: unknown[][] = [];
    const all = makeLoop(format, 20);
    for (let length = 1; length < all.length; length += 2) {
      const { messages, report } = await fit(all.slice(0, length));
      if (report !== undefined) condensations++;
      prompts.push(messages);
    }
    expect(condensations).toBeGreaterThan(0);
    expect(prefixBreaks(prompts)).toBeLessThanOrEqual(condensations);
  });
});

describe("condenseMessages", () => {
  it("counts the system prompt and the tools, and keeps leading instructions", async () => {
    const chat = [{ role: "system", content: "Be kind." }, ...makeLoop("openai-chat")];
    const { messages, tokens } = await condenseMessages(chat, OPTIONS);
    expect(messages[0]).toBe(chat[0]);
    const tools = [{ type: "function", function: { name: "read", description: "Reads. ".repeat(200) } }];
    const larger = await condenseMessages([{ role: "user", content: "Hi." }], {
      model: "gpt-4.1",
      tools,
      system: "Be brief.",
    });
    const bare = await condenseMessages([{ role: "user", content: "Hi." }], { model: "gpt-4.1" });
    expect([tokens <= 4_000, larger.tokens - bare.tokens > 400]).toEqual([true, true]);
  });

  it.each([
    ["anthropic-messages", [{ type: "text", text: "Be brief." }]],
    ["gemini", { parts: [{ text: "Be brief." }] }],
    ["ai-sdk", "Be brief."],
  ] as const)("counts a system prompt of %s", async (format, system) => {
    const options = { model: "gpt-4.1", format, tools: [] };
    const sizeOf = async (given: object) =>
      (await condenseMessages([userMessage(format, "Hi.")], { ...options, ...given })).tokens;
    expect((await sizeOf({ system })) - (await sizeOf({}))).toBeGreaterThan(1);
  });

  it("keeps the images and files of the AI SDK as they are", async () => {
    const url = new URL("https://example.com/a.png");
    const parts = [
      { type: "text", text: LINES },
      { type: "image", image: url },
      { type: "image", image: new Uint8Array([1, 2]) },
      { type: "file", data: "aGk=", mediaType: "application/pdf" },
      { type: "file", data: new ArrayBuffer(2), mediaType: "application/pdf" },
      { type: "file", data: { openai: "file-1" }, mediaType: "application/pdf" },
    ];
    const approval = {
      role: "assistant",
      content: [{ type: "tool-approval-request", approvalId: "1", toolCallId: "2" }],
    };
    const messages = [{ role: "user", content: parts }, approval, { role: "user", content: "And now?" }];
    const condensed = await condenseMessages(messages, { model: "gpt-4.1" });
    expect([condensed.format, condensed.messages]).toEqual(["ai-sdk", messages]);
  });

  it("counts the AI SDK's tools, an object with schemas of several libraries, like a list of them", async () => {
    const hello = [{ role: "user", content: "Hi." }];
    const properties = { path: { type: "string" as const }, lines: { type: "number" as const } };
    const required = ["path", "lines"];
    const schema = { type: "object" as const, properties, required, additionalProperties: false };
    const description = "Reads a file.";
    const sizeOf = async (tools?: Tools) =>
      (await condenseMessages(hello, { model: "gpt-4.1", format: "ai-sdk", ...(tools && { tools }) })).tokens;
    const listed = await sizeOf([{ name: "read", description, inputSchema: schema }]);
    expect(listed).toBeGreaterThan((await sizeOf()) + 20);
    const zodSchema = z.strictObject({ path: z.string(), lines: z.number() });
    expect(await sizeOf({ read: tool({ description, inputSchema: jsonSchema(schema) }) })).toBe(listed);
    expect(Math.abs((await sizeOf({ read: tool({ description, inputSchema: zodSchema }) })) - listed)).toBeLessThan(25);
    const { format } = await condenseMessages(hello, { model: "gpt-4.1", tools: { read: {} } });
    expect(format).toBe("ai-sdk");
  });

  it.each([
    [{ tools: { read: {} }, format: "openai-chat" }, "tools is an object; pass the list of the openai-chat request"],
    [{ tools: JSON.parse('"read"') }, "tools is a string"],
    [{ format: JSON.parse('"xml"') }, "unknown format"],
    [{ budget: JSON.parse('"2000"') }, "condenseMessages: budget must be a number of at least 0, not a string"],
    [{ model: JSON.parse("null") }, "condenseMessages: model must be a string, not null"],
    [{ strategy: JSON.parse("{}") }, "a strategy is an id or made by defineStrategy"],
  ] as const)("refuses %j", async (options, message) => {
    await expect(condenseMessages([{ role: "user", content: "Hi." }], { ...OPTIONS, ...options })).rejects.toThrow(
      message,
    );
  });

  it("gets summaries from the given function, and survives its failure", async () => {
    const messages = makeLoop("openai-chat");
    const options = { ...OPTIONS, strategy: "native" } as const;
    const written = await condenseMessages(messages, { ...options, summarize: async () => "They read files." });
    expect(JSON.stringify(written.messages)).toContain("They read files.");
    const failed = await condenseMessages(messages, { ...options, summarize: () => Promise.reject(new Error("503")) });
    expect(failed.report?.warnings.join()).toContain("503");
    expect(failed.tokens).toBeLessThanOrEqual(OPTIONS.budget);
  });

  it("says which window it assumes for an unknown model", async () => {
    const onWarning = vi.fn();
    const hello = [{ role: "user", content: "Hi." }];
    const { warnings } = await condenseMessages(hello, { model: "my-model" });
    expect(warnings).toEqual([
      expect.stringMatching(/^model "my-model" is not in the catalog: assuming .* of [\d,]+ tokens/),
    ]);
    const fit = fitMessages({ model: "my-model", onWarning });
    await fit(hello);
    await fit(hello);
    expect(onWarning.mock.calls).toEqual([[warnings[0]]]);
    expect((await condenseMessages(hello, { model: "my-model", windowTokens: 9_000 })).warnings).toEqual([]);
  });

  it("checks strategy and configuration when it is made", () => {
    expect(() => fitMessages({ model: "gpt-4.1", strategy: JSON.parse('"magic"') })).toThrow(
      'unknown strategy "magic"',
    );
    expect(() => fitMessages({ model: "gpt-4.1", strategy: "native", config: { userShare: 9 } })).toThrow("userShare");
  });

  it("throws for a budget that protected messages exceed", async () => {
    const huge = [{ role: "user", content: LINES.repeat(20) }];
    await expect(condenseMessages(huge, OPTIONS)).rejects.toMatchObject({ code: "request.too-large" });
  });

  it.each([
    ["text", '"Hi."', "messages is string, not a list of messages"],
    ["a canonical conversation", '{"system":[],"tools":[],"messages":[]}', 'use condense from "@longhaul/condense"'],
    ["canonical messages", '[{"role":"user","blocks":[]}]', 'use condense from "@longhaul/condense"'],
    ["a request body", '{"model":"gpt-5","input":[]}', "pass its input"],
    ["another object", "{}", "not a list of messages"],
    ["LangChain messages", '[{"lc_serializable":true}]', '"@longhaul/adapters/langchain"'],
    ["UI messages", '[{"role":"user","parts":[{"type":"text","text":"Hi."}]}]', "convertToModelMessages"],
    ["a list of texts", '["Hi."]', "messages[0] is string"],
    ["a wrong role", '[{"role":"robot","content":[{"type":"tool-call"}]}]', "messages[0]"],
  ])("names the right function for %s", async (_, json, message) => {
    await expect(condenseMessages(JSON.parse(json), OPTIONS)).rejects.toThrow(message);
  });
});
