import type { Block } from "@longhaul/conversation";
import {
  makeDocument,
  makeImage,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
  PIXEL_PNG,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeMessage } from "./decode-message.ts";
import { encodeBlock, encodeContent, encodeMessage } from "./encode-message.ts";

const ANTHROPIC = { vendor: "anthropic", extras: true };
const FOREIGN = { vendor: "anthropic", extras: false };

describe("encodeMessage", () => {
  it("writes unchanged messages, and unchanged blocks of changed ones, as received", () => {
    const text = { type: "text", text: "a", cache_control: { type: "ephemeral", scope: "global" } };
    const value = { role: "user", content: [text, { type: "text", text: "b" }] };
    const message = decodeMessage(value);
    expect(encodeMessage(message, ANTHROPIC)).toBe(value);
    const [first] = message.blocks;
    const changed = { role: message.role, blocks: [first ?? makeText(""), makeText("c")] };
    expect(encodeMessage(changed, ANTHROPIC)).toEqual({ role: "user", content: [text, { type: "text", text: "c" }] });
  });

  it("writes unknown fields only to the format that they came from", () => {
    const message = { ...makeUser({ ...makeText("a"), extra: { citations: [] } }), extra: { clear_at: "never" } };
    expect(encodeMessage(message, ANTHROPIC)).toEqual({
      role: "user",
      content: [{ type: "text", text: "a", citations: [] }],
      clear_at: "never",
    });
    expect(encodeMessage(message, FOREIGN)).toEqual({ role: "user", content: [{ type: "text", text: "a" }] });
  });
});

describe("encodeContent", () => {
  it("writes a text that was received as a string as one, unless there are other blocks", () => {
    const own = { ...makeText("a"), native: { wire: "anthropic-messages", value: "a" } };
    expect(encodeContent([own], ANTHROPIC)).toBe("a");
    expect(encodeContent([own, makeText("b")], ANTHROPIC)).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
  });
});

describe("encodeBlock", () => {
  it.each<[Block, object]>([
    [makeText("a", { ttl: "1h" }), { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h" } }],
    [makeImage(), { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_PNG } }],
    [makeImage({ source: { kind: "url", url: "u" } }), { type: "image", source: { type: "url", url: "u" } }],
    [makeImage({ source: { kind: "file", id: "f" } }), { type: "image", source: { type: "file", file_id: "f" } }],
    [
      makeDocument("x", { title: "t", context: "c" }),
      { type: "document", source: { type: "text", media_type: "text/plain", data: "x" }, title: "t", context: "c" },
    ],
    [makeToolCall("i"), { type: "tool_use", id: "i", name: "read_file", input: { path: "src/main.ts" } }],
    [
      makeToolCall("i", { input: "free text" }),
      { type: "tool_use", id: "i", name: "read_file", input: { input: "free text" } },
    ],
    [makeToolResult("i", []), { type: "tool_result", tool_use_id: "i" }],
    [
      makeToolResult("i", [makeText("no")], { isError: true }),
      { type: "tool_result", tool_use_id: "i", content: [{ type: "text", text: "no" }], is_error: true },
    ],
    [
      { type: "compaction", text: "s", encrypted: "e", vendor: "anthropic" },
      { type: "compaction", content: "s", encrypted_content: "e" },
    ],
    [
      { type: "compaction", text: "s", vendor: "anthropic", extra: { signature: "x" }, cache: {} },
      { type: "compaction", content: "s", signature: "x", cache_control: { type: "ephemeral" } },
    ],
    [
      { type: "thinking", text: "hm" },
      { type: "thinking", thinking: "hm", signature: "" },
    ],
    [
      { type: "thinking", text: "hm", signature: "AAAA", vendor: "google" },
      { type: "thinking", thinking: "hm", signature: "longhaul/google/AAAA" },
    ],
    [
      { type: "redacted-thinking", data: "AAAA", vendor: "anthropic" },
      { type: "redacted_thinking", data: "AAAA" },
    ],
  ])("encodes %j", (block, wire) => {
    expect(encodeBlock(block, FOREIGN)).toEqual(wire);
  });
});
