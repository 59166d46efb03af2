import type { JsonObject, JsonValue, WireId } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { decodeHead, decodeLimits, decodeMessage, decodeSystem, decodeTools } from "./decode.ts";

const BOTTOMLESS: JsonValue = JSON.parse(`{"type":"text","text":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);

describe.each<WireId>(["anthropic-messages", "openai-chat"])("an entry of %s", (wire) => {
  it.each<JsonObject>([
    { role: "user", content: "Hi." },
    { role: "assistant", content: [{ type: "text", text: "Hello." }, { type: "hologram" }], name: "ann" },
    { role: "system", content: "Be brief." },
  ])("is decoded like in the gateway: %j", (entry) => {
    expect(decodeMessage(wire, entry)).toEqual(codecOf(wire).decodeMessage(entry));
  });

  it.each<[string, JsonValue, string]>([
    ["not an object", "stray", "unknown"],
    ["without a type", { text: "Hi." }, "unknown"],
    ["without its text", { type: "text" }, "text"],
    ["nested too deeply", BOTTOMLESS, "text"],
  ])("keeps a part that is %s as an opaque block and decodes the others", (_, part, kind) => {
    const entry = { role: "user", content: [{ type: "text", text: "One." }, part, { type: "text", text: "Two." }] };
    const message = decodeMessage(wire, entry);
    expect(message?.blocks).toMatchObject([{ text: "One." }, { type: "opaque", kind }, { text: "Two." }]);
    expect(message?.blocks[1]?.native?.value).toBe(part);
    expect(message?.native?.value).toBe(entry);
  });

  it.each<JsonObject>([
    { role: "robot", content: "Hi." },
    { role: "user" },
    { role: "user", content: 5 },
    { content: "Hi." },
    { role: "robot", content: ["stray"] },
  ])("is undefined if it cannot be decoded: %j", (entry) => {
    expect(decodeMessage(wire, entry)).toBeUndefined();
  });
});

it("keeps an unreadable part of a tool result as an opaque block", () => {
  const entry = { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "A" }, 5] };
  expect(decodeMessage("openai-chat", entry)?.blocks).toMatchObject([
    { type: "tool-result", callId: "c1", content: [{ text: "A" }, { type: "opaque", native: { value: 5 } }] },
  ]);
});

it.each<[WireId, JsonObject, string]>([
  ["gemini", { role: "model", parts: [{ text: "A" }, 5, { functionCall: {} }] }, "opaque opaque"],
  ["openai-responses", { type: "message", role: "user", content: [{ type: "input_text", text: "A" }, {}] }, "opaque"],
])("keeps unreadable parts of an entry of %s as opaque blocks", (wire, entry, kept) => {
  const types = decodeMessage(wire, entry)?.blocks.map(({ type }) => type);
  expect(types).toEqual(["text", ...kept.split(" ")]);
});

it("decodes Responses items that are not messages, but no Gemini contents without parts", () => {
  const call = { type: "function_call", call_id: "c", name: "read", arguments: "{}" };
  expect(decodeMessage("openai-responses", call)?.blocks).toMatchObject([{ type: "tool-call", id: "c" }]);
  expect(decodeMessage("gemini", { role: "user" })).toBeUndefined();
});

it("decodes a body without its messages, or returns undefined if it is malformed", () => {
  expect(decodeHead("gemini", { systemInstruction: { parts: [{ text: "Be brief." }] } })?.system).toMatchObject([
    { text: "Be brief." },
  ]);
  expect(decodeHead("gemini", { systemInstruction: 5 })).toBeUndefined();
  expect(decodeHead("openai-responses", { instructions: "Be brief." })?.system).toMatchObject([{ text: "Be brief." }]);
});

it("decodes a system prompt in either form, or none", () => {
  expect(decodeSystem("anthropic-messages", "Be brief.")).toMatchObject([{ type: "text", text: "Be brief." }]);
  expect(decodeSystem("anthropic-messages", [{ type: "text", text: "Be kind." }])).toMatchObject([
    { text: "Be kind." },
  ]);
  expect(decodeSystem("anthropic-messages", undefined)).toEqual([]);
  expect(decodeSystem("anthropic-messages", 5)).toEqual([]);
});

it("skips malformed tools", () => {
  const read = { name: "read", input_schema: { type: "object" } };
  expect(decodeTools("anthropic-messages", { tools: [read, 5, {}] })).toMatchObject([{ name: "read" }]);
  const patch = { type: "custom", custom: { name: "patch" } };
  expect(decodeTools("openai-chat", { tools: [5, patch] })).toMatchObject([{ name: "patch" }]);
  expect(decodeTools("openai-chat", {})).toEqual([]);
});

it.each([
  ["anthropic-messages", { max_tokens: 4_000, thinking: { type: "enabled", budget_tokens: 2_000 } }, "budget"],
  ["openai-chat", { max_completion_tokens: 4_000, reasoning_effort: "high" }, "effort"],
  ["openai-responses", { max_output_tokens: 4_000, input: "Hi.", reasoning: { effort: "high" } }, "effort"],
  ["gemini", { generationConfig: { maxOutputTokens: 4_000, thinkingConfig: { thinkingBudget: 9 } } }, "budget"],
] as const)("decodes the output limit and the reasoning of a body: %s", (wire, body, mode) => {
  expect(decodeLimits(wire, body)).toMatchObject({ maxOutputTokens: 4_000, reasoning: { mode } });
  expect(decodeLimits(wire, {})).toBeUndefined();
});
