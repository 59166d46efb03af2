import type { Message } from "@longhaul/conversation";
import {
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeSystem,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { CONTINUE, fitRoles, OPENING } from "./roles.ts";

const NATIVE = { wire: "anthropic-messages", value: {} };

describe("fitRoles", () => {
  it("merges neighbours of one role, so that roles alternate", () => {
    fc.assert(
      fc.property(anyMessyConversation(), (conversation) => {
        const { messages } = fitRoles(makeRequestOf(conversation), makeFitting()).conversation;
        for (const [index, { role }] of messages.entries()) {
          expect(role !== "system" && role === messages[index + 1]?.role).toBe(false);
        }
      }),
    );
  });

  it("keeps two that the client itself sent side by side, but not one of them and one of ours", () => {
    const own = { ...makeUser("a"), native: NATIVE };
    const kept = makeRequestOf(makeConversation([own, own]));
    expect(fitRoles(kept, makeFitting())).toBe(kept);
    const mixed = makeRequestOf(makeConversation([own, { ...makeUser("b"), extra: { x: 1 } }]));
    expect(fitRoles(mixed, makeFitting()).conversation.messages).toEqual([
      { ...makeUser(["a", "b"]), extra: { x: 1 } },
    ]);
  });

  it("merges only the roles that the format wants merged", () => {
    const messages = [
      makeUser("a"),
      makeUser("b"),
      makeAssistant("c"),
      makeAssistant("d"),
      makeSystem("e"),
      makeSystem("f"),
    ];
    const fitting = makeFitting({ rules: { merges: ["assistant"] } });
    expect(fitRoles(makeRequestOf(makeConversation(messages)), fitting).conversation.messages).toEqual([
      messages[0],
      messages[1],
      makeAssistant(["c", "d"]),
      messages[4],
      messages[5],
    ]);
  });

  it("lets the user speak first, and last where the model wants that", () => {
    const request = makeRequestOf(makeConversation([makeAssistant("a")]));
    const fitting = makeFitting({ target: { prefill: false } });
    expect(fitRoles(request, fitting).conversation.messages).toEqual([
      makeUser(OPENING),
      makeAssistant("a"),
      makeUser(CONTINUE),
    ]);
    expect(fitting.warnings().map(({ feature }) => feature)).toEqual(["message.opening", "message.prefill"]);
    expect(fitRoles(request, makeFitting({ rules: { opensWithUser: false } }))).toBe(request);
  });

  it("lets a vendor's summary open the conversation, and end it", () => {
    const summary: Message = { role: "assistant", blocks: [{ type: "compaction", text: "x", vendor: "anthropic" }] };
    const alone = makeRequestOf(makeConversation([summary]));
    const fitting = makeFitting({ target: { prefill: false } });
    expect(fitRoles(alone, fitting)).toBe(alone);
    const answered = makeRequestOf(makeConversation([summary, makeAssistant("a"), makeUser("b")]));
    expect(fitRoles(answered, fitting).conversation.messages).toEqual([
      { role: "assistant", blocks: [...summary.blocks, ...makeAssistant("a").blocks] },
      makeUser("b"),
    ]);
    expect(fitting.warnings()).toEqual([]);
  });
});
