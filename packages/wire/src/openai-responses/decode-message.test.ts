import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeItem, decodeMessage, decodeOutput, isRefusal } from "./decode-message.ts";

const WIRE = "openai-responses";

function read(item: JsonValue) {
  const { native, ...message } = decodeMessage(item);
  return { ...message, blocks: message.blocks.map(({ native: _, ...block }) => block) };
}

describe("decodeMessage", () => {
  it("decodes messages with or without their type and keeps the original value", () => {
    const value = { role: "developer", content: "Be brief.", id: "msg_1" };
    expect(decodeMessage(value)).toEqual({
      role: "system",
      blocks: [{ type: "text", text: "Be brief.", native: { wire: WIRE, value: "Be brief." } }],
      native: { wire: WIRE, value },
      extra: { role: "developer", id: "msg_1" },
    });
    expect(
      read({
        type: "message",
        role: "assistant",
        phase: "commentary",
        content: [{ type: "output_text", text: "a", annotations: [] }],
      }),
    ).toEqual({
      role: "assistant",
      blocks: [{ type: "text", text: "a", extra: { annotations: [] } }],
      extra: { phase: "commentary" },
    });
  });

  it("decodes parts: texts, images, files and unknown ones", () => {
    const content = [
      { type: "input_text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } },
      { type: "refusal", refusal: "no" },
      { type: "input_image", image_url: "data:image/png;base64,AA", detail: "original" },
      { type: "input_image", file_id: "file-1" },
      { type: "input_image" },
      { type: "input_file", file_url: "https://x.example/a.pdf" },
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AA" },
      { type: "input_file", filename: "a.pdf" },
      { type: "input_audio", input_audio: {} },
    ];
    expect(read({ role: "user", content }).blocks).toEqual([
      { type: "text", text: "a", cache: {} },
      { type: "text", text: "no" },
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AA" }, detail: "original" },
      { type: "image", source: { kind: "file", id: "file-1" } },
      { type: "opaque", kind: "input_image" },
      { type: "document", source: { kind: "url", url: "https://x.example/a.pdf" } },
      { type: "document", source: { kind: "base64", mediaType: "application/pdf", data: "AA" }, title: "a.pdf" },
      { type: "opaque", kind: "input_file" },
      { type: "opaque", kind: "input_audio" },
    ]);
  });

  it("decodes calls and results as separate messages", () => {
    expect(read({ type: "function_call", call_id: "1", name: "f", arguments: '{"a":1}', id: "fc_1" })).toEqual({
      role: "assistant",
      blocks: [{ type: "tool-call", id: "1", name: "f", input: { a: 1 }, extra: { id: "fc_1" } }],
    });
    expect(read({ type: "function_call", call_id: "1", name: "f", arguments: "{oops" }).blocks).toEqual([
      { type: "tool-call", id: "1", name: "f", input: "{oops", freeText: false },
    ]);
    expect(read({ type: "custom_tool_call", call_id: "1", name: "c", input: "free" }).blocks).toEqual([
      { type: "tool-call", id: "1", name: "c", input: "free" },
    ]);
    expect(read({ type: "function_call_output", call_id: "1", output: "" })).toEqual({
      role: "user",
      blocks: [{ type: "tool-result", callId: "1", content: [], isError: false }],
    });
    expect(
      decodeMessage({
        type: "custom_tool_call_output",
        call_id: "1",
        output: [{ type: "input_image", image_url: "u" }],
      }),
    ).toMatchObject({
      role: "user",
      blocks: [{ content: [{ type: "image", source: { kind: "url", url: "u" } }] }],
    });
  });

  it("decodes reasoning encrypted by any vendor", () => {
    const summary = [
      { type: "summary_text", text: "a" },
      { type: "summary_text", text: "b" },
    ];
    expect(read({ type: "reasoning", id: "rs_1", summary, encrypted_content: "gAAAA" }).blocks).toEqual([
      { type: "thinking", text: "a\n\nb", signature: "gAAAA", id: "rs_1", vendor: "openai" },
    ]);
    expect(
      read({ type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "raw" }] }).blocks,
    ).toEqual([{ type: "thinking", text: "raw", id: "rs_1", vendor: "openai" }]);
    const tagged = decodeMessage({
      type: "reasoning",
      id: "rs_1",
      summary: [],
      encrypted_content: "longhaul/anthropic//AAAA",
    });
    expect(tagged).toEqual({
      role: "assistant",
      blocks: [{ type: "thinking", text: "", signature: "AAAA", id: "rs_1", vendor: "anthropic" }],
    });
  });

  it("decodes a compaction, and keeps unknown items with the right role", () => {
    expect(read({ type: "compaction", encrypted_content: "e", id: "c" })).toEqual({
      role: "assistant",
      blocks: [{ type: "compaction", text: null, encrypted: "e", vendor: "openai", extra: { id: "c" } }],
    });
    const roles = [
      "web_search_call",
      "computer_call_output",
      "item_reference",
      "mcp_approval_response",
      "compaction_trigger",
      "mcp_call",
    ].map((type) => read({ type }).role);
    expect(roles).toEqual(["assistant", "user", "user", "user", "user", "assistant"]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["computer_call", { call_id: "a" }, { type: "computer_call_output", call_id: "a" }],
    ["local_shell_call", { id: "lsh", call_id: "a" }, { type: "local_shell_call_output", id: "a" }],
    ["local_shell_call", { call_id: "a" }, { type: "local_shell_call_output", id: "out", call_id: "a" }],
    ["shell_call", { id: "sh", call_id: "a" }, { type: "shell_call_output", id: "out", call_id: "a" }],
    ["apply_patch_call", { id: "ap", call_id: "a" }, { type: "apply_patch_call_output", call_id: "a" }],
    ["tool_search_call", { id: "ts", call_id: "a" }, { type: "tool_search_output", id: "out", call_id: "a" }],
    ["program", { id: "p", call_id: "a" }, { type: "program_output", id: "out", call_id: "a" }],
    ["mcp_approval_request", { id: "a" }, { type: "mcp_approval_response", id: "out", approval_request_id: "a" }],
  ])("pairs a %s with the item that answers it: %j %j", (type, call, result) => {
    const [asked, answered] = [read({ type, ...call }), read(result)].map(({ blocks }) => blocks[0]);
    expect(asked).toMatchObject({ type: "opaque", pair: { side: "call", id: `${type} a` } });
    expect(answered).toMatchObject({ type: "opaque", pair: { side: "result", id: `${type} a` } });
  });

  it.each(["web_search_call", "code_interpreter_call", "mcp_call", "item_reference"])(
    "leaves a %s alone, which has no separate result",
    (type) => {
      expect(read({ type, id: "a" }).blocks).toEqual([{ type: "opaque", kind: type }]);
    },
  );

  it("names the path of malformed content", () => {
    expect(() => decodeMessage({ role: "tool" }, "input[1]")).toThrow(/^input\[1\]\.role: expected/);
    expect(() => decodeMessage({ role: "user", content: 7 })).toThrow(
      "item.content: expected a string or an array of parts",
    );
    expect(() => decodeMessage({ type: "function_call", name: "f" })).toThrow("item.call_id: expected a string");
    expect(() => decodeMessage({ type: 7 })).toThrow("item.type: expected a string");
  });
});

describe("decodeOutput", () => {
  it("decodes the items of a reply", () => {
    const message = {
      type: "message",
      content: [
        { type: "output_text", text: "a" },
        { type: "refusal", refusal: "b" },
      ],
    };
    expect(decodeOutput(message, "o")).toMatchObject([{ text: "a" }, { text: "b" }]);
    expect(isRefusal(message)).toBe(true);
    expect(isRefusal({ type: "reasoning" })).toBe(false);
    expect(decodeItem({ type: "reasoning", summary: [], encrypted_content: "e" }, "o", "xai")).toMatchObject({
      vendor: "xai",
    });
  });
});
