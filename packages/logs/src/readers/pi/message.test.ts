import type { Block, JsonObject, JsonValue, Message } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeMessage, encodeMessage, summaryMessage } from "./message.ts";

function decodeReplyBlock(block: JsonValue, fields: JsonObject = { api: "anthropic-messages" }) {
  return decodeMessage({ role: "assistant", content: [block], ...fields })?.blocks[0];
}

function ran(fields: JsonObject) {
  const message = decodeMessage({ role: "bashExecution", command: "ls", ...fields });
  return message?.blocks.map((block) => (block.type === "text" ? block.text : block.type));
}

describe("decodeMessage", () => {
  it("keeps the original message", () => {
    const value = { role: "user", content: "Hi.", timestamp: 5 };
    expect(decodeMessage(value)).toEqual({
      role: "user",
      blocks: [{ type: "text", text: "Hi." }],
      native: { wire: "pi", value },
    });
  });

  it.each(["custom", "hookMessage"])("reads an extension's %s message as a user message", (role) => {
    expect(decodeMessage({ role, content: "Note." })).toMatchObject({ role: "user", blocks: [{ text: "Note." }] });
  });

  it("reads images", () => {
    const content = [{ type: "image", data: "AA==", mimeType: "image/png" }];
    expect(decodeMessage({ role: "user", content })?.blocks).toMatchObject([
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AA==" } },
    ]);
  });

  it("reads a tool result with its name and error flag", () => {
    const value = { role: "toolResult", toolCallId: "t1", toolName: "bash", content: [], isError: true };
    expect(decodeMessage(value)?.blocks).toEqual([
      { type: "tool-result", callId: "t1", name: "bash", content: [], isError: true },
    ]);
  });

  it("reads calls with their thought signature", () => {
    const call = { type: "toolCall", id: "t1", name: "read", arguments: { path: "a" }, thoughtSignature: "s" };
    expect(decodeReplyBlock(call)).toEqual({
      type: "tool-call",
      id: "t1",
      name: "read",
      input: { path: "a" },
      signature: "s",
      native: { wire: "pi", value: call },
    });
  });

  it("reads thinking and ignores the empty signature of a truncated stream", () => {
    expect(decodeReplyBlock({ type: "thinking", thinking: "Hm.", thinkingSignature: "s" })).toMatchObject({
      type: "thinking",
      text: "Hm.",
      signature: "s",
      vendor: "anthropic",
    });
    expect(decodeReplyBlock({ type: "thinking", thinking: "Hm.", thinkingSignature: "" })).not.toHaveProperty(
      "signature",
    );
    expect(decodeReplyBlock({ type: "thinking", thinking: "", thinkingSignature: "d", redacted: true })).toMatchObject({
      type: "redacted-thinking",
      data: "d",
    });
  });

  it.each([
    [{ api: "azure-openai-responses", provider: "azure" }, "openai"],
    [{ api: "google-vertex" }, "google"],
    [{ api: "bedrock-converse-stream", provider: "amazon-bedrock" }, "amazon-bedrock"],
    [{}, undefined],
  ])("derives the vendor of a signature from %j", (fields, vendor) => {
    const block = decodeReplyBlock({ type: "thinking", thinking: "Hm.", thinkingSignature: "s" }, fields);
    expect(block).toHaveProperty("type", "thinking");
    expect(block?.type === "thinking" && block.vendor).toBe(vendor);
  });

  it("reads a reply that is plain text", () => {
    expect(decodeMessage({ role: "assistant", content: "Hi." })?.blocks).toEqual([{ type: "text", text: "Hi." }]);
  });

  it("describes a command that the user ran", () => {
    expect(ran({ output: "a.txt", exitCode: 0 })).toEqual(["Ran `ls`\n```\na.txt\n```"]);
    expect(ran({ output: "", exitCode: 2 })).toEqual(["Ran `ls`\n(no output)\n\nCommand exited with code 2"]);
    expect(ran({ output: "", cancelled: true, exitCode: 130 })).toEqual([
      "Ran `ls`\n(no output)\n\n(command cancelled)",
    ]);
    expect(ran({ output: "a", truncated: true, fullOutputPath: "/tmp/x" })).toEqual([
      "Ran `ls`\n```\na\n```\n\n[Output truncated. Full output: /tmp/x]",
    ]);
  });

  it.each([
    { role: "robot", content: "Hi." },
    { role: "user" },
    { role: "assistant", content: 5 },
    { role: "toolResult", content: [] },
    { role: "toolResult", toolCallId: "t1" },
  ])("returns undefined for %j", (value) => {
    expect(decodeMessage(value)).toBeUndefined();
  });

  it.each([5, { type: "thinking" }, { type: "toolCall", id: "t1" }, { type: "image" }, { type: "hologram" }])(
    "keeps the block %j as an opaque block",
    (value) => {
      expect(decodeReplyBlock(value)).toMatchObject({ type: "opaque", native: { wire: "pi", value } });
    },
  );
});

describe("summaryMessage", () => {
  it("wraps the summary in a tag", () => {
    expect(summaryMessage("So far.")).toEqual({
      role: "user",
      blocks: [{ type: "text", text: "<summary>\nSo far.\n</summary>" }],
    });
  });
});

describe("encodeMessage", () => {
  it("writes unchanged messages as received", () => {
    const value = { role: "bashExecution", command: "ls" };
    const message: Message = { role: "user", blocks: [], native: { wire: "pi", value } };
    expect(encodeMessage(message)).toEqual([value]);
  });

  it("writes tool results as separate messages before the user's text", () => {
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
