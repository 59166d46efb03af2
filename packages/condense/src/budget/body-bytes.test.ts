import type { Conversation } from "@longhaul/conversation";
import { anyConversation, makeConversation, makeImage, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyBytes } from "./body-bytes.ts";

const jsonBytes = (conversation: Conversation) => Buffer.byteLength(JSON.stringify(conversation));

describe("bodyBytes", () => {
  it("is close to the length of the JSON where that matters: in long texts and images", () => {
    const texts = ["plain words\n".repeat(9_000), "語".repeat(40_000), '🙂é"\\\u0001'.repeat(20_000)];
    const image = makeImage({ source: { kind: "base64", mediaType: "image/png", data: "A".repeat(300_000) } });
    for (const conversation of [...texts.map((text) => [makeUser(text)]), [makeUser(image)]].map((all) =>
      makeConversation(all),
    )) {
      expect(bodyBytes(conversation) / jsonBytes(conversation)).toBeCloseTo(1, 3);
    }
  });

  it("counts every part of a conversation", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const blocks = conversation.messages.reduce((sum, message) => sum + message.blocks.length, 1);
        expect(bodyBytes(conversation)).toBeGreaterThan(jsonBytes(conversation) * 0.4);
        expect(bodyBytes(conversation)).toBeLessThan(jsonBytes(conversation) + blocks * 200);
      }),
    );
  });
});
