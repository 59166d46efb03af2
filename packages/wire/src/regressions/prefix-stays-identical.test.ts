import type { Conversation, JsonValue } from "@longhaul/conversation";
import { anyConversation } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRequest } from "../testing/describe-codec.ts";
import { FORMATS } from "../testing/formats.ts";
import { withoutRefused } from "../testing/losses.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { withoutMarks } from "../testing/normal-form.ts";

// Newer Claude models bind each thinking block to the bytes before it, and prompt caches match prefixes. The bytes sent on one turn must
// therefore be sent again, unchanged, on the next.
describe.each(FORMATS)("$codec.id", ({ codec, destination, refuses }) => {
  const prepare = withoutRefused((block) => refuses(block) || ("source" in block && block.source.kind === "file"));

  it("writes the same prefix for every continuation of the conversation", () => {
    fc.assert(
      fc.property(anyConversation(), fc.nat(), fc.boolean(), (any, seed, isNative) => {
        const conversation = withoutMarks(prepare(any));
        const cuts = cutsOf(conversation);
        const cut = cuts[seed % Math.max(1, cuts.length)];
        if (cut === undefined) return;
        const write = (messages: Conversation["messages"]): readonly JsonValue[] => {
          const part = { ...conversation, messages };
          const request = isNative ? makeRequest(codec, part) : makeRequestOf(part);
          const entries = codec.encodeRequest(request, destination).body[codec.messagesField];
          return Array.isArray(entries) ? entries : [];
        };
        const early = write(conversation.messages.slice(0, cut));
        expect(write(conversation.messages).slice(0, early.length)).toEqual(early);
      }),
    );
  });
});

/** Where a turn ends: before an assistant message. */
function cutsOf({ messages }: Conversation): number[] {
  return messages.flatMap(({ role }, index) => (role === "assistant" && index > 0 ? [index] : []));
}
