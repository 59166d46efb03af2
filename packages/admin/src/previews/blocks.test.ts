import { type Block, textBlock } from "@longhaul/conversation";
import { anyBlock, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, blockText, kindOfBlock } from "./blocks.ts";

it("lists every block with its position, system prompt first", () => {
  const { messages, tools } = makeConversation([makeUser(["a", "b"]), makeAssistant("c")]);
  expect(blocksOf({ system: [textBlock("s")], tools, messages })).toEqual([
    { message: -1, role: "system", block: textBlock("s") },
    { message: 0, role: "user", block: textBlock("a") },
    { message: 0, role: "user", block: textBlock("b") },
    { message: 1, role: "assistant", block: textBlock("c") },
  ]);
});

const image = { type: "image", source: { kind: "base64", mediaType: "image/png", data: "A".repeat(4_096) } } as const;

describe("blockText", () => {
  const blocks: readonly (readonly [Block, string, string])[] = [
    [{ type: "text", text: "Hello" }, "text", "Hello"],
    [{ type: "tool-call", id: "1", name: "read", input: { path: "a" } }, "call", '{\n  "path": "a"\n}'],
    [{ type: "tool-call", id: "1", name: "patch", input: "*** Begin" }, "call", "*** Begin"],
    [
      { type: "tool-result", callId: "1", isError: false, content: [{ type: "text", text: "a" }, image] },
      "result",
      "a\n[image: image/png, 3 KiB]",
    ],
    [{ type: "thinking", text: "Hm.", signature: "secret" }, "thinking", "Hm."],
    [{ type: "redacted-thinking", data: "secret" }, "thinking", "[unreadable]"],
    [{ type: "compaction", text: null, encrypted: "secret" }, "compaction", "[unreadable]"],
    [
      { type: "image", source: { kind: "url", url: `data:${"x".repeat(900)}` } },
      "image",
      `[image: data:${"x".repeat(195)}]`,
    ],
    [{ type: "document", source: { kind: "file", id: "file_1" } }, "document", "[document: file_1]"],
    [{ type: "document", source: { kind: "text", text: "Dear all" } }, "document", "Dear all"],
    [{ type: "opaque", kind: "web_search", native: { wire: "w", value: {} } }, "other", "[web_search]"],
  ];

  it.each(blocks)("shows %j as %s", (block, kind, text) => {
    expect([kindOfBlock(block), blockText(block)]).toEqual([kind, text]);
  });

  it("has a text for every block", () => {
    fc.assert(
      fc.property(anyBlock(), (block) => typeof blockText(block) === "string" && kindOfBlock(block) !== undefined),
    );
  });
});
