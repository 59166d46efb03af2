import { describe, expect, it } from "vitest";
import { decodeBlock, decodeContent, decodeMessage } from "./decode-message.ts";

const WIRE = "anthropic-messages";

describe("decodeMessage", () => {
  it("keeps the original value and unknown fields", () => {
    const value = { role: "system", content: "Be brief.", clear_at: "never" };
    expect(decodeMessage(value)).toEqual({
      role: "system",
      blocks: [{ type: "text", text: "Be brief.", native: { wire: WIRE, value: "Be brief." } }],
      native: { wire: WIRE, value },
      extra: { clear_at: "never" },
    });
  });

  it("has no native value if it carries another vendor's signature", () => {
    const content = [{ type: "thinking", thinking: "", signature: "longhaul/google/AAAA" }];
    const message = decodeMessage({ role: "assistant", content });
    expect(message).not.toHaveProperty("native");
    expect(message.blocks).toEqual([{ type: "thinking", text: "", signature: "AAAA", vendor: "google" }]);
  });

  it("names the path of malformed content", () => {
    expect(() => decodeMessage({ role: "tool", content: "" }, "messages[3]")).toThrow(
      /^messages\[3\]\.role: expected "user"/,
    );
    expect(() => decodeMessage({ role: "user", content: 7 })).toThrow(
      "message.content: expected a string or an array of blocks",
    );
    const content = [
      { type: "text", text: "a" },
      { type: "tool_use", id: "x" },
    ];
    expect(() => decodeMessage({ role: "assistant", content })).toThrow(
      "message.content[1].name: expected a string, got nothing",
    );
  });
});

describe("decodeBlock", () => {
  const bare = (value: Parameters<typeof decodeBlock>[0]) => {
    const { native, ...block } = decodeBlock(value, "b");
    expect(native).toEqual({ wire: WIRE, value });
    return block;
  };

  it("decodes every known block", () => {
    const mark = { cache_control: { type: "ephemeral", ttl: "1h" } };
    const cache = { ttl: "1h" };
    expect(bare({ type: "text", text: "a", citations: null, ...mark })).toEqual({
      type: "text",
      text: "a",
      cache,
    });
    expect(bare({ type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } })).toEqual({
      type: "image",
      source: { kind: "base64", mediaType: "image/png", data: "AA" },
    });
    expect(
      bare({
        type: "document",
        source: { type: "text", media_type: "text/plain", data: "x" },
        title: "t",
        citations: {},
      }),
    ).toEqual({
      type: "document",
      source: { kind: "text", text: "x" },
      title: "t",
      extra: { citations: {} },
    });
    expect(bare({ type: "document", source: { type: "url", url: "u" }, ...mark })).toEqual({
      type: "document",
      source: { kind: "url", url: "u" },
      cache,
    });
    expect(bare({ type: "image", source: { type: "file", file_id: "f" } })).toEqual({
      type: "image",
      source: { kind: "file", id: "f" },
    });
    expect(bare({ type: "tool_use", id: "i", name: "n", input: { a: 1 }, caller: { type: "direct" } })).toEqual({
      type: "tool-call",
      id: "i",
      name: "n",
      input: { a: 1 },
      extra: { caller: { type: "direct" } },
    });
    expect(bare({ type: "thinking", thinking: "hm", signature: "s" })).toEqual({
      type: "thinking",
      text: "hm",
      signature: "s",
      vendor: "anthropic",
    });
    expect(bare({ type: "thinking", thinking: "hm", signature: "" })).toEqual({ type: "thinking", text: "hm" });
    expect(bare({ type: "redacted_thinking", data: "d" })).toEqual({
      type: "redacted-thinking",
      data: "d",
      vendor: "anthropic",
    });
    expect(bare({ type: "compaction", content: null, encrypted_content: "e", signature: "s" })).toEqual({
      type: "compaction",
      text: null,
      encrypted: "e",
      vendor: "anthropic",
      extra: { signature: "s" },
    });
  });

  it("keeps unknown blocks as opaque blocks", () => {
    expect(bare({ type: "search_result", title: "t", cache_control: { type: "ephemeral" } })).toEqual({
      type: "opaque",
      kind: "search_result",
      cache: {},
    });
    expect(bare({ type: "document", source: { type: "content", content: "x" } })).toEqual({
      type: "opaque",
      kind: "document",
    });
    expect(bare({ type: "image", source: { type: "hologram" } })).toEqual({ type: "opaque", kind: "image" });
  });

  it("decodes results with any content, and calls inside them as opaque blocks", () => {
    expect(bare({ type: "tool_result", tool_use_id: "i" })).toEqual({
      type: "tool-result",
      callId: "i",
      content: [],
      isError: false,
    });
    const content = [
      { type: "text", text: "a" },
      { type: "tool_use", id: "x", name: "n", input: {} },
    ];
    expect(bare({ type: "tool_result", tool_use_id: "i", is_error: true, content })).toEqual({
      type: "tool-result",
      callId: "i",
      isError: true,
      content: [
        { type: "text", text: "a", native: { wire: WIRE, value: content[0] } },
        { type: "opaque", kind: "tool_use", native: { wire: WIRE, value: content[1] } },
      ],
    });
  });

  it("assigns unsigned and tagged reasoning to its vendor", () => {
    expect(decodeBlock({ type: "redacted_thinking", data: "longhaul/openai/AAAA" }, "b")).toEqual({
      type: "redacted-thinking",
      data: "AAAA",
      vendor: "openai",
    });
    expect(decodeBlock({ type: "thinking", thinking: "", signature: "s" }, "b", "moonshot")).toMatchObject({
      vendor: "moonshot",
    });
  });
});

describe("decodeContent", () => {
  it("returns no blocks for missing content", () => {
    expect(decodeContent(undefined, "system")).toEqual([]);
    expect(decodeContent(null, "system")).toEqual([]);
  });
});
