import type { Block, Message, ResultBlock } from "@longhaul/conversation";
import {
  makeAssistant,
  makeDocument,
  makeImage,
  makeSystem,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
  PIXEL_PNG,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { finish } from "../codec/stepper.ts";
import { ERROR_MARK } from "../openai/shape.ts";
import { decodeMessage } from "./decode-message.ts";
import { type ChatEncodeOptions, encodeAssistant, encodeMessages } from "./encode-message.ts";

const PLAIN: ChatEncodeOptions = { vendor: "openai", extras: false, freeTextTools: new Set(["patch"]) };
const PNG = `data:image/png;base64,${PIXEL_PNG}`;

function encode(messages: readonly Message[], options: Partial<ChatEncodeOptions> = {}) {
  return finish(encodeMessages(messages, { ...PLAIN, ...options }));
}

describe("encodeMessages", () => {
  it("writes unchanged messages as received", () => {
    const values = [
      { role: "user", content: [{ type: "text", text: "a" }] },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: '{ "a": 1.0 }' } }],
      },
      { role: "tool", tool_call_id: "1", content: "ok" },
    ];
    const written = encode(values.map((value) => decodeMessage(value)));
    expect(written).toEqual(values);
    expect(written[1]).toBe(values[1]);
  });

  it("separates results from other content of their message", () => {
    expect(encode([makeUser([makeToolResult("1", "a"), makeToolResult("2", []), "And?"])])).toEqual([
      { role: "tool", tool_call_id: "1", content: "a" },
      { role: "tool", tool_call_id: "2", content: "" },
      { role: "user", content: "And?" },
    ]);
  });

  it("puts attachments of results after the last result of the round", () => {
    const messages = [
      makeUser(makeToolResult("1", [makeText("a"), makeImage()])),
      makeUser([makeToolResult("2", "b"), "And?"]),
      makeUser(makeToolResult("3", [makeImage()])),
      makeAssistant("Ok."),
    ];
    expect(encode(messages)).toEqual([
      { role: "tool", tool_call_id: "1", content: "a" },
      { role: "tool", tool_call_id: "2", content: "b" },
      {
        role: "user",
        content: [
          { type: "text", text: "[Attached to the result of 1]" },
          { type: "image_url", image_url: { url: PNG } },
        ],
      },
      { role: "user", content: "And?" },
      { role: "tool", tool_call_id: "3", content: "" },
      {
        role: "user",
        content: [
          { type: "text", text: "[Attached to the result of 3]" },
          { type: "image_url", image_url: { url: PNG } },
        ],
      },
      { role: "assistant", content: "Ok." },
    ]);
  });

  it("marks a failed call in its text", () => {
    expect(encode([makeUser(makeToolResult("1", "no such file", { isError: true }))])).toEqual([
      { role: "tool", tool_call_id: "1", content: `${ERROR_MARK}\nno such file` },
    ]);
    expect(encode([makeUser(makeToolResult("1", [], { isError: true }))])).toEqual([
      { role: "tool", tool_call_id: "1", content: ERROR_MARK },
    ]);
  });

  it("writes the texts of a result as one, because servers such as DeepSeek reject a list", () => {
    const entryOf = (...content: readonly ResultBlock[]) => encode([makeUser(makeToolResult("1", content))])[0];
    expect(entryOf(makeText("a"), makeText("b"), makeImage())).toMatchObject({ role: "tool", content: "a\nb" });
    const native = { wire: "openai-chat", value: { type: "text", text: "b", own: 1 } };
    const content = [{ type: "text", text: "a" }, native.value];
    expect(entryOf(makeText("a"), { ...makeText("b"), native })).toMatchObject({ content });
  });

  it("joins the texts of a result also if one has a cache mark, because the next turn's has none", () => {
    const entryOf = (...content: readonly ResultBlock[]) =>
      encode([makeUser(makeToolResult("1", content, { isError: true }))], { cacheMarks: "cache_control" })[0];
    const mark = { cache_control: { type: "ephemeral" } };
    const joined = `${ERROR_MARK}\na\nb`;
    for (const marked of [
      [makeText("a"), makeText("b", {})],
      [makeText("a", {}), makeText("b")],
    ]) {
      expect(entryOf(...marked)).toMatchObject({ content: [{ type: "text", text: joined, ...mark }] });
    }
    expect(entryOf(makeText("a"), makeText("b"))).toMatchObject({ content: joined });
    expect(encode([makeUser({ ...makeToolResult("1", ""), cache: {} })], { cacheMarks: "cache_control" })).toEqual([
      { role: "tool", tool_call_id: "1", content: "" },
    ]);
  });

  it("writes cache marks in the destination's field, a result's on its last text", () => {
    const mark = { prompt_cache_breakpoint: { mode: "explicit" } };
    const messages = [makeUser(makeText("a", {})), makeUser({ ...makeToolResult("1", "b"), cache: {} })];
    expect(encode(messages, { cacheMarks: "prompt_cache_breakpoint" })).toEqual([
      { role: "user", content: [{ type: "text", text: "a", ...mark }] },
      { role: "tool", tool_call_id: "1", content: [{ type: "text", text: "b", ...mark }] },
    ]);
  });

  it("uses the destination's name of the system role, or the client's", () => {
    const own = decodeMessage({ role: "developer", content: "x" });
    const changed = { role: own.role, blocks: [makeText("y")], ...(own.extra && { extra: own.extra }) };
    expect(encode([own], { systemRole: "system" })).toEqual([{ role: "system", content: "x" }]);
    expect(encode([own], { systemRole: "developer" })).toEqual([{ role: "developer", content: "x" }]);
    expect(encode([changed], { extras: true })).toEqual([{ role: "developer", content: "y" }]);
    expect(encode([changed], { extras: true, systemRole: "system" })).toEqual([{ role: "system", content: "y" }]);
    expect(encode([makeSystem("z")])).toEqual([{ role: "system", content: "z" }]);
  });

  it("writes files and documents", () => {
    const pdf = { kind: "base64" as const, mediaType: "application/pdf", data: "AA" };
    const blocks: Block[] = [
      makeDocument("", { source: pdf }),
      makeDocument("", { source: { kind: "file", id: "file-1" }, title: "t" }),
      makeDocument("words", { title: "t" }),
      makeImage({ source: { kind: "url", url: "https://x.example/a" }, detail: "high" }),
    ];
    expect(encode([makeUser(blocks)])).toEqual([
      {
        role: "user",
        content: [
          { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AA" } },
          { type: "file", file: { file_id: "file-1", filename: "t" } },
          { type: "text", text: "t\n\nwords" },
          { type: "image_url", image_url: { url: "https://x.example/a", detail: "high" } },
        ],
      },
    ]);
  });
});

describe("encodeAssistant", () => {
  const blocks = [makeThinking("hm", "c2ln"), makeText("a"), makeText("b"), makeToolCall("1", { signature: "s" })];

  it("writes thinking in the field that the server reads", () => {
    expect(encodeAssistant(blocks, { ...PLAIN, thinkingField: "reasoning_content" })).toMatchObject({
      reasoning_content: "hm",
    });
    expect(encodeAssistant(blocks, { ...PLAIN, thinkingField: "reasoning" })).toMatchObject({ reasoning: "hm" });
    expect(encodeAssistant(blocks, { ...PLAIN, thinkingField: "reasoning_details" })).toMatchObject({
      reasoning_details: [
        { type: "reasoning.text", text: "hm", signature: "c2ln", format: "anthropic-claude-v1", index: 0 },
      ],
    });
  });

  it("writes text as parts and calls with Gemini's signature", () => {
    expect(encodeAssistant(blocks.slice(1), PLAIN)).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      tool_calls: [
        {
          id: "1",
          type: "function",
          function: { name: "read_file", arguments: '{"path":"src/main.ts"}' },
          extra_content: { google: { thought_signature: "s" } },
        },
      ],
    });
  });

  it("distinguishes free text from arguments that are not JSON", () => {
    const calls = [
      makeToolCall("1", { name: "patch", input: "free" }),
      makeToolCall("2", { name: "patch", input: "{oops", freeText: false }),
      makeToolCall("3", { input: "{oops" }),
    ];
    expect(encodeAssistant(calls, PLAIN)).toMatchObject({
      content: null,
      tool_calls: [
        { type: "custom", custom: { name: "patch", input: "free" } },
        { type: "function", function: { arguments: "{oops" } },
        { type: "function", function: { arguments: "{oops" } },
      ],
    });
  });
});
