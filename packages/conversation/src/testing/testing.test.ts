import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolPairs } from "../turns.ts";
import { anyConversation, anyMessyConversation, makeAgentLoop } from "./index.ts";

const SAMPLES = { numRuns: 300, seed: 7 };

describe("anyConversation", () => {
  it("answers every call before the end exactly once", () => {
    fc.assert(
      fc.property(anyConversation(), ({ messages }) => {
        const { pairs, orphans } = toolPairs(messages);
        expect(orphans).toEqual([]);
        expect(new Set(pairs.map((pair) => pair.callId)).size).toBe(pairs.length);
        const openBeforeEnd = pairs.filter(
          (pair) => pair.result === undefined && pair.call.message < lastAssistant(messages),
        );
        expect(openBeforeEnd).toEqual([]);
      }),
    );
  });

  it("puts results right after their calls", () => {
    fc.assert(
      fc.property(anyConversation(), ({ messages }) => {
        for (const { call, result } of toolPairs(messages).pairs) {
          const between = messages.slice(call.message + 1, result?.message);
          expect(between.every(({ blocks }) => blocks.every((block) => block.type === "tool-result"))).toBe(true);
        }
      }),
    );
  });

  it("covers every block type, role and shape within a few hundred samples", () => {
    const conversations = fc.sample(anyConversation(), SAMPLES);
    const messages = conversations.flatMap((conversation) => conversation.messages);
    const blocks = messages.flatMap((message) => message.blocks);
    expect(new Set(messages.map((message) => message.role))).toEqual(new Set(["user", "assistant", "system"]));
    expect(new Set(blocks.map((block) => block.type))).toEqual(
      new Set([
        "text",
        "image",
        "document",
        "tool-call",
        "tool-result",
        "thinking",
        "redacted-thinking",
        "compaction",
        "opaque",
      ]),
    );
    expect(messages.some(({ blocks: all }) => all.filter((block) => block.type === "tool-call").length > 1)).toBe(true);
    expect(blocks.some((block) => "cache" in block)).toBe(true);
    expect(blocks.some((block) => block.type === "text" && block.text.includes("<read_file>"))).toBe(true);
    expect(
      blocks.some((block) => block.type === "tool-result" && block.content.some((part) => part.type === "image")),
    ).toBe(true);
    expect(conversations.some(({ messages: all }) => all.at(-1)?.role === "user")).toBe(true);
  });
});

describe("anyMessyConversation", () => {
  it("covers orphans, duplicate ids, blank texts and empty messages, and keeps at least one message", () => {
    const all = fc.sample(anyMessyConversation(), SAMPLES).map((conversation) => conversation.messages);
    const paired = all.map(toolPairs);
    expect(all.every((messages) => messages.length > 0)).toBe(true);
    expect(paired.some(({ orphans }) => orphans.length > 0)).toBe(true);
    expect(paired.some(({ pairs }) => pairs.slice(0, -1).some((pair) => pair.result === undefined))).toBe(true);
    expect(paired.some(({ pairs }) => new Set(pairs.map((pair) => pair.callId)).size < pairs.length)).toBe(true);
    const messages = all.flat();
    expect(messages.some(({ blocks }) => blocks.length === 0)).toBe(true);
    expect(messages.some(({ blocks }) => blocks.some((block) => block.type === "text" && block.text === ""))).toBe(
      true,
    );
  });
});

describe("makeAgentLoop", () => {
  it("gives each step a call and a result of the given length", () => {
    const { messages } = makeAgentLoop(3, 50);
    expect(messages).toHaveLength(8);
    expect(toolPairs(messages).pairs.every((pair) => pair.result !== undefined)).toBe(true);
    expect(messages[2]?.blocks[0]).toMatchObject({ content: [{ text: expect.stringMatching(/^.{50}$/s) }] });
  });
});

function lastAssistant(messages: readonly { readonly role: string }[]): number {
  return messages.findLastIndex((message) => message.role === "assistant");
}
