import type { Block, Message } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { encodeMessage } from "./encode-message.ts";

describe("encodeMessage", () => {
  it("writes what nobody changed as it came", () => {
    const value = { role: "bashExecution", command: "ls" };
    const message: Message = { role: "user", blocks: [], native: { wire: "pi", value } };
    expect(encodeMessage(message)).toEqual([value]);
  });

  it("writes what tools answered as messages of their own, before the user's words", () => {
    const blocks: Block[] = [
      { type: "text", text: "Go on." },
      { type: "tool-result", callId: "c1", name: "read", content: [{ type: "text", text: "A" }], isError: true },
    ];
    expect(encodeMessage({ role: "user", blocks })).toEqual([
      { role: "toolResult", toolCallId: "c1", toolName: "read", content: [{ type: "text", text: "A" }], isError: true },
      { role: "user", content: [{ type: "text", text: "Go on." }] },
    ]);
  });

  it.each<[Block, object]>([
    [
      { type: "thinking", text: "Hm.", signature: "s" },
      { type: "thinking", thinking: "Hm.", thinkingSignature: "s" },
    ],
    [
      { type: "tool-call", id: "c", name: "read", input: {} },
      { type: "toolCall", id: "c", name: "read", arguments: {} },
    ],
    [
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AA" } },
      { type: "image", data: "AA", mimeType: "image/png" },
    ],
    [
      { type: "image", source: { kind: "url", url: "https://a/b" } },
      { type: "text", text: "[image]" },
    ],
    [
      { type: "compaction", text: "So far." },
      { type: "text", text: "So far." },
    ],
    [
      { type: "redacted-thinking", data: "x" },
      { type: "text", text: "[redacted-thinking]" },
    ],
  ])("writes %j", (block, written) => {
    expect(encodeMessage({ role: "assistant", blocks: [block] })).toEqual([{ role: "assistant", content: [written] }]);
  });
});
