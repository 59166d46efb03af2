import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeAssistant, decodeMessage } from "./decode-message.ts";

const WIRE = "openai-chat";

function blocksOf(message: JsonValue) {
  return decodeMessage(message).blocks.map(({ native: _, ...block }) => block);
}

describe("decodeMessage", () => {
  it("keeps the original value, the role name developer and unknown fields", () => {
    const value = { role: "developer", content: "Be brief.", name: "boss" };
    expect(decodeMessage(value)).toEqual({
      role: "system",
      blocks: [{ type: "text", text: "Be brief.", native: { wire: WIRE, value: "Be brief." } }],
      native: { wire: WIRE, value },
      extra: { role: "developer", name: "boss" },
    });
  });

  it("decodes parts: texts, images, files and unknown ones", () => {
    const content = [
      { type: "text", text: "a", cache_control: { type: "ephemeral" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,AA", detail: "low" } },
      {
        type: "image_url",
        image_url: { url: "https://x.example/a.png" },
        prompt_cache_breakpoint: { mode: "explicit" },
      },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA" } },
      { type: "file", file: { file_id: "file-1" } },
      { type: "file", file: { file_data: "https://x.example/a.pdf" } },
      { type: "input_audio", input_audio: { data: "AA" } },
    ];
    expect(blocksOf({ role: "user", content })).toEqual([
      { type: "text", text: "a", cache: {} },
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AA" }, detail: "low" },
      { type: "image", source: { kind: "url", url: "https://x.example/a.png" }, cache: {} },
      { type: "document", source: { kind: "base64", mediaType: "application/pdf", data: "AA" }, title: "a.pdf" },
      { type: "document", source: { kind: "file", id: "file-1" } },
      { type: "opaque", kind: "file" },
      { type: "opaque", kind: "input_audio" },
    ]);
  });

  it("decodes the assistant's thinking, text and calls in this order", () => {
    const message = {
      role: "assistant",
      content: [
        { type: "text", text: "a" },
        { type: "refusal", refusal: "no" },
      ],
      reasoning_content: "hm",
      tool_calls: [
        {
          id: "1",
          type: "function",
          function: { name: "f", arguments: '{"a":1}' },
          extra_content: { google: { thought_signature: "s" } },
        },
        { id: "2", type: "function", function: { name: "f", arguments: "{oops" } },
        { id: "3", type: "custom", custom: { name: "c", input: "free" } },
        { type: "function", function: { name: "f" } },
      ],
    };
    expect(blocksOf(message)).toEqual([
      { type: "thinking", text: "hm" },
      { type: "text", text: "a" },
      { type: "text", text: "no" },
      { type: "tool-call", id: "1", name: "f", input: { a: 1 }, signature: "s" },
      { type: "tool-call", id: "2", name: "f", input: "{oops", freeText: false },
      { type: "tool-call", id: "3", name: "c", input: "free" },
      { type: "tool-call", id: "call_3", name: "f", input: {} },
    ]);
  });

  it("decodes OpenRouter's details in order instead of the text that repeats them", () => {
    const message = {
      role: "assistant",
      content: null,
      reasoning: "ab",
      reasoning_details: [
        { type: "reasoning.summary", summary: "a", format: "openai-responses-v1" },
        { type: "reasoning.encrypted", data: "d", format: "openai-responses-v1" },
        { type: "reasoning.text", text: "b", signature: "s", format: "anthropic-claude-v1" },
        7,
      ],
    };
    expect(blocksOf(message)).toEqual([
      { type: "thinking", text: "a", vendor: "openai" },
      { type: "redacted-thinking", data: "d", vendor: "openai" },
      { type: "thinking", text: "b", signature: "s", vendor: "anthropic" },
    ]);
  });

  it("decodes results, and deprecated function results by name", () => {
    expect(blocksOf({ role: "tool", tool_call_id: "1", content: "ok" })).toMatchObject([
      { type: "tool-result", callId: "1", content: [{ text: "ok" }], isError: false },
    ]);
    expect(blocksOf({ role: "tool", tool_call_id: "1", content: [{ type: "text", text: "ok" }] })).toMatchObject([
      { content: [{ text: "ok" }] },
    ]);
    expect(blocksOf({ role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } })).toEqual([
      { type: "tool-call", id: "f", name: "f", input: {} },
    ]);
    expect(blocksOf({ role: "function", name: "f", content: "ok" })).toMatchObject([{ callId: "f", name: "f" }]);
  });

  it("names the path of malformed content", () => {
    expect(() => decodeMessage({ role: "robot" }, "messages[2]")).toThrow(/^messages\[2\]\.role: expected/);
    expect(() => decodeMessage({ role: "user", content: 7 })).toThrow(
      "message.content: expected a string or an array of parts",
    );
    expect(() => decodeMessage({ role: "tool", content: "x" })).toThrow("message.tool_call_id: expected a string");
    expect(() => decodeMessage({ role: "assistant", tool_calls: [{}] })).toThrow("message.tool_calls[0].function.name");
    expect(() => decodeMessage({ role: "user", content: [{ type: "text" }] })).toThrow("message.content[0].text");
  });
});

describe("decodeAssistant", () => {
  it("drops empty text and decodes a refusal as text", () => {
    expect(decodeAssistant({ content: "", refusal: "I can't." }, "m")).toEqual([{ type: "text", text: "I can't." }]);
    expect(decodeAssistant({ content: "", refusal: null, reasoning: "" }, "m")).toEqual([]);
  });
});
