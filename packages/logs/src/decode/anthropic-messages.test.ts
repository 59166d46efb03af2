import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeContent, decodeMessage, decodeTools, decodeUsage } from "./anthropic-messages.ts";

/** Decodes one block and checks that it carries the value it came from. */
function decodeOne(value: JsonObject) {
  const [block] = decodeContent([value]) ?? [];
  const { native, ...meaning } = block ?? {};
  expect(native).toEqual({ wire: "anthropic-messages", value });
  return meaning;
}

describe("decodeMessage", () => {
  it("keeps the entry and the fields that have no name", () => {
    const entry = { role: "system", content: "Be brief.", clear_at: 5 };
    expect(decodeMessage(entry)).toEqual({
      role: "system",
      blocks: [{ type: "text", text: "Be brief." }],
      extra: { clear_at: 5 },
      native: { wire: "anthropic-messages", value: entry },
    });
  });

  it.each([{ role: "robot", content: "Hi." }, { role: "user" }, { role: "user", content: 5 }, { content: "Hi." }])(
    "can't read %j",
    (entry) => {
      expect(decodeMessage(entry)).toBeUndefined();
    },
  );

  it("makes no block of an empty text", () => {
    expect(decodeMessage({ role: "user", content: "" })?.blocks).toEqual([]);
  });
});

describe("decodeContent", () => {
  it("reads text with its cache mark and citations", () => {
    const value = { type: "text", text: "Hi.", cache_control: { type: "ephemeral", ttl: "1h" }, citations: [] };
    expect(decodeOne(value)).toEqual({ type: "text", text: "Hi.", cache: { ttl: "1h" }, extra: { citations: [] } });
    expect(decodeOne({ type: "text", text: "", cache_control: { type: "ephemeral" } })).toMatchObject({ cache: {} });
  });

  it("reads images and documents from every source", () => {
    const bytes = { type: "base64", media_type: "image/png", data: "AA==" };
    expect(decodeOne({ type: "image", source: bytes })).toEqual({
      type: "image",
      source: { kind: "base64", mediaType: "image/png", data: "AA==" },
    });
    expect(decodeOne({ type: "image", source: { type: "url", url: "https://a/b" } })).toMatchObject({
      source: { kind: "url", url: "https://a/b" },
    });
    expect(decodeOne({ type: "document", source: { type: "file", file_id: "f1" }, title: "T", context: "C" })).toEqual({
      type: "document",
      source: { kind: "file", id: "f1" },
      title: "T",
      context: "C",
    });
    expect(
      decodeOne({ type: "document", source: { type: "text", media_type: "text/plain", data: "Hi." } }),
    ).toMatchObject({
      source: { kind: "text", text: "Hi." },
    });
  });

  it("reads calls, and a call without input as one with none", () => {
    expect(decodeOne({ type: "tool_use", id: "t1", name: "Read", input: { a: 1 } })).toEqual({
      type: "tool-call",
      id: "t1",
      name: "Read",
      input: { a: 1 },
    });
    expect(decodeOne({ type: "tool_use", id: "t1", name: "Read" })).toMatchObject({ input: {} });
  });

  it.each([
    ["Done.", [{ type: "text", text: "Done." }]],
    ["", []],
    [null, []],
    [[{ type: "text", text: "A" }], [{ type: "text", text: "A" }]],
    [[{ type: "tool_reference", tool_name: "x" }], [{ type: "opaque", kind: "tool_reference" }]],
    [5, [{ type: "opaque", kind: "unknown" }]],
  ])("reads a result of %j", (content, blocks) => {
    const value = { type: "tool_result", tool_use_id: "t1", content, is_error: true };
    expect(decodeOne(value)).toMatchObject({ type: "tool-result", callId: "t1", content: blocks, isError: true });
  });

  it("reads thinking, hidden thinking and compactions as Anthropic's own", () => {
    expect(decodeOne({ type: "thinking", thinking: "", signature: "s" })).toEqual({
      type: "thinking",
      text: "",
      signature: "s",
      vendor: "anthropic",
    });
    expect(decodeOne({ type: "redacted_thinking", data: "d" })).toEqual({
      type: "redacted-thinking",
      data: "d",
      vendor: "anthropic",
    });
    expect(decodeOne({ type: "compaction", content: null })).toMatchObject({ type: "compaction", text: null });
    expect(decodeOne({ type: "compaction", content: "So far.", encrypted_content: "e" })).toMatchObject({
      text: "So far.",
      encrypted: "e",
    });
  });

  it.each([
    { type: "text" },
    { type: "image", source: { type: "base64" } },
    { type: "document", source: { type: "content", content: [] } },
    { type: "tool_use", name: "Read" },
    { type: "tool_result" },
    { type: "thinking" },
    { type: "redacted_thinking" },
    { type: "server_tool_use", id: "s1" },
  ])("keeps %j whole", (value) => {
    expect(decodeOne(value)).toEqual({ type: "opaque", kind: value.type });
  });

  it("keeps what is no object whole", () => {
    expect(decodeContent(["stray"])).toEqual([
      { type: "opaque", kind: "unknown", native: { wire: "anthropic-messages", value: "stray" } },
    ]);
  });
});

describe("decodeTools", () => {
  it("tells the client's tools from the vendor's", () => {
    const tools = [
      { name: "read", description: "Reads.", input_schema: { type: "object" } },
      { type: "web_search_20250305", name: "web_search", max_uses: 3 },
    ];
    expect(decodeTools({ tools })).toMatchObject([
      { name: "read", kind: "function", description: "Reads.", inputSchema: { type: "object" } },
      { name: "web_search", kind: "server", extra: { max_uses: 3 } },
    ]);
    expect(decodeTools({})).toEqual([]);
  });
});

describe("decodeUsage", () => {
  it("keeps the compaction that the totals leave out", () => {
    const usage = {
      input_tokens: 612,
      output_tokens: 40,
      iterations: [
        { type: "compaction", input_tokens: 60_385, output_tokens: 900 },
        { type: "message", input_tokens: 612, output_tokens: 40 },
      ],
    };
    expect(decodeUsage(usage)).toEqual({
      inputTokens: 612,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 40,
      iterations: [{ inputTokens: 60_385, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 900 }],
    });
  });
});
