import type { Block, Conversation } from "@longhaul/conversation";
import { anyConversation } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeKnownMessages, sha256 } from "./known-messages.ts";
import { makePromptTokens } from "./prompt-tokens.ts";

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");
const WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"] as const;

/** The parts of a conversation that every format can say. */
function plainly(conversation: Conversation): Conversation {
  const messages = conversation.messages.map(({ role, blocks }) => ({
    role,
    blocks: blocks.flatMap((block): Block[] => {
      if (block.type === "tool-result")
        return [{ ...block, content: block.content.filter(({ type }) => type === "text") }];
      return block.type === "text" || block.type === "tool-call" ? [block] : [];
    }),
  }));
  return { ...conversation, messages: messages.filter(({ blocks }) => blocks.length > 0) };
}

describe("makePromptTokens", () => {
  it.each(WIRES)("agrees with counting the whole request, seen for the first time or the second: %s", (wire) => {
    const codec = codecOf(wire);
    const tokens = makePromptTokens(makeKnownMessages());
    fc.assert(
      fc.property(anyConversation().map(plainly), (conversation) => {
        const request = { model: "m", conversation, stream: false, sampling: {}, maxOutputTokens: 100 };
        const { body } = codec.encodeRequest(request, { model: "m" });
        const bytes = new TextEncoder().encode(JSON.stringify(body));
        const whole = counter.countConversation(codec.decodeRequest(body, { model: "m" }).conversation);
        expect([tokens.count(bytes, codec, counter), tokens.count(bytes, codec, counter)]).toEqual([whole, whole]);
      }),
      { numRuns: 60 },
    );
  });

  it("counts what stands behind the messages too", () => {
    const body = {
      messages: [],
      system: "Be brief.",
      tools: [{ name: "read", input_schema: { type: "object" } }],
      model: "m",
      max_tokens: 5,
    };
    const codec = codecOf("anthropic-messages");
    const whole = counter.countConversation(codec.decodeRequest(body).conversation);
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    expect(makePromptTokens(makeKnownMessages()).count(bytes, codec, counter)).toBe(whole);
  });

  it("leaves bodies that must be parsed whole to others", () => {
    const bytes = new TextEncoder().encode('{"messages":[],"messages":[]}');
    expect(makePromptTokens(makeKnownMessages()).count(bytes, codecOf("openai-chat"), counter)).toBeUndefined();
  });
});
