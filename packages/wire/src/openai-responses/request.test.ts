import type { JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeSettings, encodeSettings, flatten, type Settings, unflatten } from "../fields/settings.ts";
import { encodeRequest as encodeChatRequest } from "../openai-chat/request.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { decodeRequest, encodeRequest, OPENED, SETTINGS } from "./request.ts";

describe("decodeRequest", () => {
  it("decodes instructions and leading system messages as the system prompt", () => {
    const input = [
      { role: "developer", content: "Two." },
      { role: "user", content: "Hi." },
      { role: "developer", content: "Later." },
    ];
    const { conversation } = decodeRequest({ model: "m", instructions: "One.", input });
    expect(conversation.system).toMatchObject([{ text: "One." }, { text: "Two." }]);
    expect(conversation.messages.map(({ role }) => role)).toEqual(["user", "system"]);
  });

  it("decodes an input that is a string or missing", () => {
    expect(decodeRequest({ model: "m", input: "Hi." }).conversation.messages).toMatchObject([
      { role: "user", blocks: [{ text: "Hi." }] },
    ]);
    expect(decodeRequest({ model: "m", previous_response_id: "resp_1" })).toMatchObject({
      conversation: { messages: [] },
      extra: { previous_response_id: "resp_1" },
    });
  });
});

/** A request of Codex to newer models: tools and instructions come first in the input. */
const LITE = {
  model: "gpt-5.6",
  input: [
    {
      type: "additional_tools",
      role: "developer",
      tools: [
        { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec", description: "Runs." }] },
        { type: "function", name: "wait", parameters: { type: "object" } },
      ],
    },
    { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
    { type: "message", role: "user", content: [{ type: "input_text", text: "Hi." }] },
    { type: "custom_tool_call", call_id: "1", name: "exec", namespace: "functions", input: "ls" },
    { type: "custom_tool_call_output", call_id: "1", output: "a.ts" },
  ],
};

describe("tools in the input", () => {
  const request = decodeRequest(LITE);

  it("are decoded as tools, not as content", () => {
    const { system, tools, messages } = request.conversation;
    expect(tools.map(({ name, kind }) => `${name} ${kind}`)).toEqual(["functions/exec custom", "wait function"]);
    expect(system).toMatchObject([{ text: "Be brief." }]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(messages[1]?.blocks).toMatchObject([{ type: "tool-call", name: "functions/exec" }]);
  });

  it("stay in place for a server of the same format, even beside changed messages", () => {
    const { conversation } = request;
    const changed = { ...request, conversation: { ...conversation, messages: [makeUser("Shorter.")] } };
    const { body } = encodeRequest(changed, { model: "gpt-5.6" });
    expect(body).not.toHaveProperty("tools");
    expect(body.input).toMatchObject([...LITE.input.slice(0, 2), { role: "user" }]);
  });

  it("move to the tools field if the prompt is encoded again", () => {
    const { body } = encodeRequest(request, { model: "gpt-5.6", systemRole: "system" });
    expect(body).toMatchObject({ tools: LITE.input[0]?.tools, instructions: "Be brief.", input: LITE.input.slice(2) });
  });

  it("get legal names for another vendor's model, which are restored in the reply", () => {
    const { body, restore, warnings } = encodeChatRequest(request, { model: "gpt-4o" });
    const [name = ""] = [...restore.toolNames.keys()];
    expect(name).toMatch(/^functions_exec_\w+$/);
    expect(restore.toolNames.get(name)).toBe("functions/exec");
    expect(body.tools).toMatchObject([{ custom: { name } }, { function: { name: "wait" } }]);
    expect(warnings.map(({ feature }) => feature)).toEqual(["tool.name"]);
  });
});

describe("encodeRequest", () => {
  it("encodes a request of another format with store: false and encrypted reasoning", () => {
    const conversation = makeConversation([makeUser("Hi.")], { system: [makeText("Be brief.")] });
    const { body } = encodeRequest(makeRequestOf(conversation, { reasoning: { mode: "effort", effort: "low" } }), {
      model: "gpt-6",
    });
    expect(body).toEqual({
      model: "gpt-6",
      reasoning: { effort: "low", summary: "auto" },
      store: false,
      include: ["reasoning.encrypted_content"],
      instructions: "Be brief.",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi." }] }],
    });
  });

  it("requests encrypted reasoning only if the model reasons", () => {
    const request = makeRequestOf(makeConversation([makeUser()]));
    expect(encodeRequest(request, { model: "gpt-4o" }).body).not.toHaveProperty("include");
    expect(encodeRequest(request, { model: "m", reasoning: { modes: ["effort"] } }).body).toHaveProperty("include");
    expect(encodeRequest({ ...request, reasoning: { mode: "off" } }, { model: "m" }).body).not.toHaveProperty(
      "include",
    );
  });

  it("keeps a native client's store and include", () => {
    const body = { model: "m", store: true, input: "Hi." };
    expect(encodeRequest(decodeRequest(body), { model: "m" }).body).toEqual(body);
  });

  it("writes a system prompt of several texts as the first message of the input", () => {
    const conversation = makeConversation([makeUser("Hi.")], { system: [makeText("One."), makeText("Two.")] });
    const { body } = encodeRequest(makeRequestOf(conversation), { model: "m" });
    expect(body).not.toHaveProperty("instructions");
    expect(body.input).toMatchObject([
      { role: "developer", content: [{ text: "One." }, { text: "Two." }] },
      { role: "user" },
    ]);
  });

  it("encodes a changed system prompt again", () => {
    const request = decodeRequest({
      model: "m",
      instructions: "One.",
      input: [
        { role: "developer", content: "Two." },
        { role: "user", content: "Hi." },
      ],
    });
    const changed = { ...request, conversation: { ...request.conversation, system: [makeText("New.")] } };
    expect(encodeRequest(changed, { model: "m" }).body).toEqual({
      model: "m",
      instructions: "New.",
      input: [{ role: "user", content: "Hi." }],
    });
    const bare = { ...request, conversation: { ...request.conversation, system: [] } };
    expect(encodeRequest(bare, { model: "m" }).body).toEqual({ model: "m", input: [{ role: "user", content: "Hi." }] });
  });

  it("writes free-text calls and their results with their type", () => {
    const tools = [{ name: "patch", kind: "custom" as const }, makeTool("f")];
    const conversation = makeConversation(
      [
        makeAssistant([makeToolCall("1", { name: "patch", input: "free" }), makeToolCall("2", { name: "f" })]),
        makeUser([makeToolResult("1", "a"), makeToolResult("2", "b")]),
      ],
      { tools },
    );
    const { body } = encodeRequest(makeRequestOf(conversation, { toolChoice: { kind: "tool", name: "patch" } }), {
      model: "m",
    });
    expect(body.tool_choice).toEqual({ type: "custom", name: "patch" });
    expect(body.input).toMatchObject([
      { type: "custom_tool_call" },
      { type: "function_call" },
      { type: "custom_tool_call_output" },
      { type: "function_call_output" },
    ]);
  });
});

function decode(body: JsonObject): Settings {
  return decodeSettings(SETTINGS, flatten(body, OPENED)).settings;
}

function encode(settings: Settings): JsonObject {
  return unflatten(encodeSettings(SETTINGS, { settings, destination: { model: "m" }, native: undefined }), OPENED);
}

describe("the settings of Responses", () => {
  it.each<[JsonObject, Settings]>([
    [
      { max_output_tokens: 9, temperature: 0, top_p: 0.5 },
      { maxOutputTokens: 9, temperature: 0, topP: 0.5 },
    ],
    [{ tool_choice: "required" }, { toolChoice: { kind: "required" } }],
    [{ tool_choice: { type: "function", name: "f" } }, { toolChoice: { kind: "tool", name: "f" } }],
    [{ parallel_tool_calls: false }, { parallelToolCalls: false }],
    [{ reasoning: { effort: "none" } }, { reasoning: { mode: "off" } }],
    [
      { reasoning: { effort: "high", summary: "auto" } },
      { reasoning: { mode: "effort", effort: "high", exclude: false } },
    ],
    [{ reasoning: { summary: "auto" } }, { reasoning: { mode: "adaptive", exclude: false } }],
    [{ text: { format: { type: "json_object" } } }, { outputFormat: { kind: "json" } }],
    [
      { text: { format: { type: "json_schema", name: "x", schema: {}, strict: true } } },
      { outputFormat: { kind: "json-schema", name: "x", schema: {}, strict: true } },
    ],
    [{ safety_identifier: "u" }, { user: "u" }],
  ])("decodes and encodes %j", (body, settings) => {
    expect(decode(body)).toEqual({ stream: false, ...settings });
    expect(encode(settings)).toEqual(body);
  });

  it.each([
    [{ reasoning: { effort: "low", summary: "concise" } }, { effort: "high", summary: "concise" }],
    [{ reasoning: { effort: "low" } }, { effort: "high" }],
    [{}, { effort: "high" }],
  ])("keeps the summary setting of native clients: %j", (native, written) => {
    const reasoning = { mode: "effort", effort: "high" } as const;
    const flat = flatten(native, OPENED);
    const body = encodeSettings(SETTINGS, { settings: { reasoning }, destination: { model: "m" }, native: flat });
    expect(unflatten(body, OPENED)).toEqual({ reasoning: written });
  });

  it("decodes other forms of the same settings", () => {
    expect(decode({ tool_choice: { type: "custom", name: "c" }, user: "u" })).toMatchObject({
      toolChoice: { kind: "tool", name: "c" },
      user: "u",
    });
    expect(decode({ text: { format: { type: "text" } } })).toEqual({ stream: false });
    expect(decode({ reasoning: { effort: "low" } })).toMatchObject({ reasoning: { mode: "effort", effort: "low" } });
  });

  it("requests a summary unless the client excludes reasoning", () => {
    expect(encode({ reasoning: { mode: "effort", effort: "low" } })).toEqual({
      reasoning: { effort: "low", summary: "auto" },
    });
    expect(encode({ reasoning: { mode: "effort", effort: "low", exclude: true } })).toEqual({
      reasoning: { effort: "low" },
    });
  });

  it("keeps unknown values as extra fields", () => {
    const body = flatten(
      {
        tool_choice: { type: "mcp", server_label: "x" },
        reasoning: { effort: "heroic" },
        text: { format: "x", verbosity: "low" },
        user: 7,
      },
      OPENED,
    );
    expect(decodeSettings(SETTINGS, body).extra).toEqual(body);
  });
});
