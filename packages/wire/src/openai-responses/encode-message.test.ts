import type { Block, Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeDocument,
  makeImage,
  makeSystem,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
  PIXEL_PNG,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { ERROR_MARK } from "../openai/shape.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeItem, encodeMessage, type ResponsesEncodeOptions } from "./encode-message.ts";

const PLAIN: ResponsesEncodeOptions = {
  vendor: "openai",
  extras: false,
  freeTextTools: new Set(["patch"]),
  freeTextCalls: new Set(["9"]),
};

function encode(message: Message, options: Partial<ResponsesEncodeOptions> = {}) {
  return encodeMessage(message, { ...PLAIN, ...options });
}

describe("encodeMessage", () => {
  it("writes an unchanged item as received", () => {
    const value = { type: "function_call", call_id: "1", name: "f", arguments: '{ "a": 1.0 }', id: "fc_1" };
    expect(encode(decodeMessage(value))[0]).toBe(value);
  });

  it("writes the assistant's thinking, text and calls as items in this order", () => {
    const thought: Block = { type: "thinking", text: "hm", signature: "gAAAA", vendor: "openai" };
    expect(encode(makeAssistant([thought, "a", "b", makeToolCall("1"), "c"]))).toEqual([
      { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "gAAAA" },
      {
        type: "message",
        role: "assistant",
        content: [
          { type: "output_text", text: "a" },
          { type: "output_text", text: "b" },
        ],
      },
      { type: "function_call", call_id: "1", name: "read_file", arguments: '{"path":"src/main.ts"}' },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "c" }] },
    ]);
  });

  it("writes results with images, failures and cache marks", () => {
    const image = { type: "input_image", image_url: `data:image/png;base64,${PIXEL_PNG}`, detail: "auto" };
    expect(
      encode(makeUser([makeToolResult("1", "ok"), makeToolResult("2", [makeText("a"), makeImage()]), "And?"])),
    ).toEqual([
      { type: "function_call_output", call_id: "1", output: "ok" },
      { type: "function_call_output", call_id: "2", output: [{ type: "input_text", text: "a" }, image] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "And?" }] },
    ]);
    expect(encode(makeUser(makeToolResult("9", "no", { isError: true })))).toEqual([
      {
        type: "custom_tool_call_output",
        call_id: "9",
        output: [
          { type: "input_text", text: ERROR_MARK },
          { type: "input_text", text: "no" },
        ],
      },
    ]);
    const mark = { prompt_cache_breakpoint: { mode: "explicit" } };
    expect(
      encode(makeUser({ ...makeToolResult("1", "ok"), cache: {} }), { cacheMarks: "prompt_cache_breakpoint" }),
    ).toEqual([{ type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "ok", ...mark }] }]);
    expect(encode(makeUser(makeToolResult("1", [])))).toEqual([
      { type: "function_call_output", call_id: "1", output: "" },
    ]);
    expect(encode(makeUser(makeToolResult("1", [makeImage()])))).toMatchObject([{ output: [image] }]);
  });

  it("writes files and documents", () => {
    const pdf = { kind: "base64" as const, mediaType: "application/pdf", data: "AA" };
    const blocks = [
      makeDocument("", { source: pdf }),
      makeDocument("", { source: { kind: "url", url: "u" }, title: "t" }),
      makeDocument("", { source: { kind: "file", id: "f" } }),
      makeDocument("words", { title: "t" }),
      makeImage({ source: { kind: "file", id: "f" }, detail: "low" }),
    ];
    expect(encode(makeUser(blocks))).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_file", filename: "document.pdf", file_data: "data:application/pdf;base64,AA" },
          { type: "input_file", file_url: "u", filename: "t" },
          { type: "input_file", file_id: "f" },
          { type: "input_text", text: "t\n\nwords" },
          { type: "input_image", file_id: "f", detail: "low" },
        ],
      },
    ]);
  });

  it("uses the destination's name of the system role, or the client's", () => {
    const own = decodeMessage({ role: "developer", content: "x" });
    expect(encode(own, { systemRole: "system", extras: true })).toEqual([
      { type: "message", role: "system", content: "x" },
    ]);
    expect(encode(own)).toEqual([{ role: "developer", content: "x" }]);
    expect(encode(makeSystem("y"))).toEqual([
      { type: "message", role: "system", content: [{ type: "input_text", text: "y" }] },
    ]);
  });

  it("writes text that was the whole input as a message if there are others", () => {
    const native = { wire: "openai-responses", value: "Hi" };
    expect(encode({ ...makeUser("Hi"), native })).toEqual([{ role: "user", content: "Hi" }]);
    expect(encode(makeUser([]))).toEqual([{ type: "message", role: "user", content: [] }]);
  });
});

describe("encodeItem", () => {
  it("distinguishes free text from arguments that are not JSON", () => {
    expect(encodeItem(makeToolCall("1", { name: "patch", input: "free" }), PLAIN)).toEqual({
      type: "custom_tool_call",
      call_id: "1",
      name: "patch",
      input: "free",
    });
    expect(encodeItem(makeToolCall("1", { name: "patch", input: "{oops", freeText: false }), PLAIN)).toMatchObject({
      type: "function_call",
      arguments: "{oops",
    });
  });

  it("writes encrypted reasoning, tagged if it is another vendor's, and compactions", () => {
    expect(encodeItem({ type: "redacted-thinking", data: "AAAA", vendor: "openai" }, PLAIN)).toEqual({
      type: "reasoning",
      summary: [],
      encrypted_content: "AAAA",
    });
    expect(encodeItem({ type: "thinking", text: "", signature: "AAAA", vendor: "google" }, PLAIN)).toEqual({
      type: "reasoning",
      summary: [],
      encrypted_content: "longhaul/google/AAAA",
    });
    expect(
      encodeItem(
        { type: "compaction", text: null, encrypted: "e", vendor: "openai", extra: { id: "c" } },
        { ...PLAIN, extras: true },
      ),
    ).toEqual({
      type: "compaction",
      encrypted_content: "e",
      id: "c",
    });
  });
});
