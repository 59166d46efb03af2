import type { JsonObject } from "@longhaul/conversation";
import { makeConversation, makeText, makeTool, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { WireDestination } from "../codec/rules.ts";
import { decodeSettings, encodeSettings, flatten, type Settings, unflatten } from "../fields/settings.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { decodeRequest, encodeRequest, OPENED, SETTINGS } from "./request.ts";

const BODY = {
  model: "gpt-6",
  messages: [
    { role: "system", content: "One." },
    { role: "developer", content: [{ type: "text", text: "Two." }] },
    { role: "user", content: "Hi." },
    { role: "system", content: "Later." },
  ],
};

describe("decodeRequest", () => {
  it("decodes leading system messages as the system prompt and keeps later ones in place", () => {
    const { conversation } = decodeRequest(BODY);
    expect(conversation.system).toMatchObject([{ text: "One." }, { text: "Two." }]);
    expect(conversation.messages.map(({ role }) => role)).toEqual(["user", "system"]);
  });
});

describe("encodeRequest", () => {
  it("writes an unchanged system prompt as received, otherwise as one message", () => {
    const request = decodeRequest(BODY);
    expect(encodeRequest(request, { model: "gpt-6" }).body).toEqual(BODY);
    const changed = { ...request, conversation: { ...request.conversation, system: [makeText("New.")] } };
    expect(encodeRequest(changed, { model: "gpt-6" }).body.messages).toEqual([
      { role: "system", content: "New." },
      ...BODY.messages.slice(2),
    ]);
    expect(encodeRequest(request, { model: "gpt-6", systemRole: "developer" }).body.messages).toEqual([
      { role: "developer", content: [{ type: "text", text: "One." }, BODY.messages[1]?.content[0]] },
      BODY.messages[2],
      { role: "developer", content: "Later." },
    ]);
  });

  it("requests usage for a stream if the destination requires it", () => {
    const request = makeRequestOf(makeConversation([makeUser()]), { stream: true });
    expect(encodeRequest(request, { model: "m", streamUsage: true }).body.stream_options).toEqual({
      include_usage: true,
    });
    expect(encodeRequest(request, { model: "m" }).body).not.toHaveProperty("stream_options");
    expect(encodeRequest({ ...request, stream: false }, { model: "m", streamUsage: true }).body).not.toHaveProperty(
      "stream_options",
    );
    const own = decodeRequest({ ...BODY, stream: true, stream_options: { include_obfuscation: false } });
    expect(encodeRequest(own, { model: "m", streamUsage: true }).body.stream_options).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
  });

  it("writes a forced tool with its type", () => {
    const tools = [{ name: "patch", kind: "custom" as const }, makeTool("f")];
    const choose = (name: string) =>
      encodeRequest(makeRequestOf(makeConversation([makeUser()], { tools }), { toolChoice: { kind: "tool", name } }), {
        model: "m",
      }).body.tool_choice;
    expect(choose("patch")).toEqual({ type: "custom", custom: { name: "patch" } });
    expect(choose("f")).toEqual({ type: "function", function: { name: "f" } });
  });
});

function decode(body: JsonObject): Settings {
  return decodeSettings(SETTINGS, flatten(body, OPENED)).settings;
}

function encode(settings: Settings, destination: Partial<WireDestination> = {}, native?: JsonObject): JsonObject {
  const flat = native && flatten(native, OPENED);
  return unflatten(
    encodeSettings(SETTINGS, { settings, destination: { model: "m", ...destination }, native: flat }),
    OPENED,
  );
}

describe("the settings of chat completions", () => {
  it.each<[JsonObject, Settings]>([
    [{ max_completion_tokens: 9 }, { maxOutputTokens: 9 }],
    [{ stop: ["a", "b"] }, { stopSequences: ["a", "b"] }],
    [{ tool_choice: "required" }, { toolChoice: { kind: "required" } }],
    [{ tool_choice: { type: "function", function: { name: "f" } } }, { toolChoice: { kind: "tool", name: "f" } }],
    [{ parallel_tool_calls: false }, { parallelToolCalls: false }],
    [{ reasoning_effort: "none" }, { reasoning: { mode: "off" } }],
    [{ reasoning_effort: "xhigh" }, { reasoning: { mode: "effort", effort: "xhigh" } }],
    [{ response_format: { type: "json_object" } }, { outputFormat: { kind: "json" } }],
    [
      { response_format: { type: "json_schema", json_schema: { name: "x", schema: {}, strict: true } } },
      { outputFormat: { kind: "json-schema", name: "x", schema: {}, strict: true } },
    ],
    [{ user: "u" }, { user: "u" }],
    [
      { frequency_penalty: 0.1, presence_penalty: 0.2, seed: 1, top_k: 4 },
      { frequencyPenalty: 0.1, presencePenalty: 0.2, seed: 1, topK: 4 },
    ],
  ])("decodes and encodes %j", (body, settings) => {
    expect(decode(body)).toEqual({ stream: false, ...settings });
    expect(encode(settings)).toEqual(body);
  });

  it("decodes other forms of the same settings", () => {
    expect(decode({ max_tokens: 9 })).toMatchObject({ maxOutputTokens: 9 });
    expect(decode({ stop: "a" })).toMatchObject({ stopSequences: ["a"] });
    expect(decode({ safety_identifier: "s", user: "u" })).toMatchObject({ user: "s" });
    expect(decode({ tool_choice: { type: "custom", custom: { name: "c" } } })).toMatchObject({
      toolChoice: { kind: "tool", name: "c" },
    });
    expect(decode({ response_format: { type: "text" } })).toEqual({ stream: false });
  });

  it("keeps unknown values as extra fields", () => {
    const body = flatten(
      {
        tool_choice: { type: "allowed_tools" },
        reasoning_effort: "heroic",
        stop: [1],
        response_format: { type: "grammar" },
      },
      OPENED,
    );
    expect(decodeSettings(SETTINGS, body).extra).toEqual(body);
  });

  it("uses the destination's name of the limit even if the client used another", () => {
    const settings = decode({ max_tokens: 9 });
    expect(encode(settings, { maxTokensField: "max_tokens" })).toEqual({ max_tokens: 9 });
    expect(encode(settings, { maxTokensField: "max_completion_tokens" }, { max_tokens: 9 })).toEqual({
      max_completion_tokens: 9,
    });
    expect(encode(settings, { maxTokensField: "max_tokens" }, { max_tokens: 9 })).toEqual({ max_tokens: 9 });
    expect(encode(settings, {}, { max_tokens: 9 })).toEqual({ max_tokens: 9 });
  });

  it.each<[JsonObject, Settings["reasoning"]]>([
    [
      { effort: "high", exclude: true },
      { mode: "effort", effort: "high", exclude: true },
    ],
    [{ max_tokens: 2000 }, { mode: "budget", budgetTokens: 2000 }],
    [{ enabled: true }, { mode: "adaptive" }],
    [{ effort: "none" }, { mode: "off" }],
  ])("decodes and encodes OpenRouter's reasoning %j", (body, reasoning = { mode: "off" }) => {
    expect(decode({ reasoning: body })).toMatchObject({ reasoning });
    expect(encode({ reasoning }, { reasoningField: "reasoning" })).toEqual({ reasoning: body });
  });

  it.each([{ reasoning: "high" }, { "reasoning.max_tokens": "4k" }])("keeps %j as an extra field", (body) => {
    expect(decodeSettings(SETTINGS, body).extra).toEqual(body);
  });

  it("uses the destination's reasoning field even if the client used another", () => {
    const reasoning = { mode: "effort" as const, effort: "low" as const };
    expect(encode({ reasoning }, { reasoningField: "reasoning_effort" }, { reasoning: { effort: "low" } })).toEqual({
      reasoning_effort: "low",
    });
    expect(encode({ reasoning }, { reasoningField: "reasoning" }, { reasoning_effort: "low" })).toEqual({
      reasoning: { effort: "low" },
    });
    expect(encode({ reasoning }, {}, { reasoning: { effort: "low" } })).toEqual({ reasoning: { effort: "low" } });
    expect(decode({ reasoning: { enabled: false } })).toMatchObject({ reasoning: { mode: "off" } });
  });
});
