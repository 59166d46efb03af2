import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeMessage, decodeTools } from "./openai-chat.ts";

/** Decodes an entry and checks that the message carries it. */
function decode(entry: JsonObject) {
  const { native, ...message } = decodeMessage(entry) ?? {};
  expect(native).toEqual({ wire: "openai-chat", value: entry });
  return message;
}

function decodePart(part: JsonValue) {
  return decodeMessage({ role: "user", content: [part] })?.blocks[0];
}

describe("decodeMessage", () => {
  it("reads what people and the system say", () => {
    expect(decode({ role: "user", content: "Hi.", name: "ann" })).toEqual({
      role: "user",
      blocks: [{ type: "text", text: "Hi." }],
      extra: { name: "ann" },
    });
    expect(decode({ role: "developer", content: "Be brief." })).toMatchObject({ role: "system" });
  });

  it("reads a reply's reasoning, text and parallel calls, in that order", () => {
    const calls = [
      { id: "c1", type: "function", function: { name: "read", arguments: '{"path": "a"}' } },
      { id: "c2", type: "custom", custom: { name: "patch", input: "*** Begin" } },
    ];
    const entry = { role: "assistant", content: "Reading.", reasoning_content: "Hm.", tool_calls: calls };
    expect(decode(entry)).toEqual({
      role: "assistant",
      blocks: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Reading." },
        {
          type: "tool-call",
          id: "c1",
          name: "read",
          input: { path: "a" },
          native: { wire: "openai-chat", value: calls[0] },
        },
        {
          type: "tool-call",
          id: "c2",
          name: "patch",
          input: "*** Begin",
          native: { wire: "openai-chat", value: calls[1] },
        },
      ],
    });
  });

  it("keeps arguments that are not JSON as the text they are", () => {
    const tool_calls = [{ id: "c1", type: "function", function: { name: "read", arguments: '{"path": "a' } }];
    expect(decode({ role: "assistant", content: null, tool_calls })).toMatchObject({
      blocks: [{ input: '{"path": "a' }],
    });
  });

  it("takes missing arguments for none", () => {
    const tool_calls = [{ id: "c1", type: "function", function: { name: "list", arguments: "" } }];
    expect(decode({ role: "assistant", tool_calls })).toMatchObject({ blocks: [{ input: {} }] });
  });

  it("reads a tool's answer as a user message of one result", () => {
    expect(decode({ role: "tool", tool_call_id: "c1", name: "read", content: "A" })).toEqual({
      role: "user",
      blocks: [
        { type: "tool-result", callId: "c1", name: "read", content: [{ type: "text", text: "A" }], isError: false },
      ],
    });
  });

  it("joins the older functions by name", () => {
    expect(decode({ role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } })).toMatchObject({
      blocks: [{ type: "tool-call", id: "f", name: "f", input: {} }],
    });
    expect(decode({ role: "function", name: "f", content: "A" })).toMatchObject({
      blocks: [{ type: "tool-result", callId: "f" }],
    });
  });

  it.each([
    { role: "robot", content: "Hi." },
    { role: "user" },
    { role: "user", content: null },
    { role: "assistant", content: 5 },
    { role: "tool", content: "A" },
    { role: "tool", tool_call_id: "c1", content: 5 },
  ])("can't read %j", (entry) => {
    expect(decodeMessage(entry)).toBeUndefined();
  });

  it("reads images from addresses and from bytes", () => {
    expect(decodePart({ type: "image_url", image_url: { url: "https://a/b,c", detail: "low" } })).toMatchObject({
      type: "image",
      source: { kind: "url", url: "https://a/b,c" },
      detail: "low",
    });
    expect(decodePart({ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } })).toMatchObject({
      source: { kind: "base64", mediaType: "image/png", data: "AA==" },
    });
  });

  it("reads files by id and from bytes", () => {
    expect(decodePart({ type: "file", file: { file_id: "f1" } })).toMatchObject({ source: { kind: "file", id: "f1" } });
    const file = { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" };
    expect(decodePart({ type: "file", file })).toMatchObject({
      type: "document",
      title: "a.pdf",
      source: { kind: "base64", mediaType: "application/pdf", data: "AA==" },
    });
  });

  it.each([
    { type: "text" },
    { type: "image_url", image_url: {} },
    { type: "file", file: {} },
    { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
  ])("keeps %j whole", (value) => {
    expect(decodePart(value)).toEqual({ type: "opaque", kind: value.type, native: { wire: "openai-chat", value } });
  });

  it.each([5, { type: "function" }, { id: "c1", function: {} }])("keeps the broken call %j whole", (value) => {
    expect(decode({ role: "assistant", content: "", tool_calls: [value] })).toMatchObject({
      blocks: [{ type: "opaque" }],
    });
    expect(decode({ role: "assistant", content: "", function_call: {} })).toMatchObject({
      blocks: [{ type: "opaque" }],
    });
  });

  it("keeps what is no object whole", () => {
    expect(decodePart(5)).toMatchObject({ type: "opaque", kind: "unknown", native: { value: 5 } });
  });
});

describe("decodeTools", () => {
  it("reads functions and tools that take free text", () => {
    const tools = [
      { type: "function", function: { name: "read", description: "Reads.", parameters: { type: "object" } } },
      { type: "custom", custom: { name: "patch" } },
    ];
    expect(decodeTools({ tools })).toEqual([
      {
        name: "read",
        kind: "function",
        description: "Reads.",
        inputSchema: { type: "object" },
        native: { wire: "openai-chat", value: tools[0] },
      },
      { name: "patch", kind: "custom", native: { wire: "openai-chat", value: tools[1] } },
    ]);
  });
});
