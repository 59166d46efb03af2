import { isUserAuthored, type Message } from "@longhaul/conversation/advanced";
import {
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeSystem,
  makeText,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { adaptRoles, CONTINUE, markSystemMessages, OPENING } from "./roles.ts";

const NATIVE = { wire: "anthropic-messages", value: {} };

describe("adaptRoles", () => {
  it("merges adjacent messages of one role, so that roles alternate", () => {
    fc.assert(
      fc.property(anyMessyConversation(), (conversation) => {
        const { messages } = adaptRoles(makeRequestOf(conversation), makeContext()).conversation;
        for (const [index, { role }] of messages.entries()) {
          expect(role !== "system" && role === messages[index + 1]?.role).toBe(false);
        }
      }),
    );
  });

  it("keeps adjacent messages from the client, but merges one of them with an added one", () => {
    const own = { ...makeUser("a"), native: NATIVE };
    const kept = makeRequestOf(makeConversation([own, own]));
    expect(adaptRoles(kept, makeContext())).toBe(kept);
    const mixed = makeRequestOf(makeConversation([own, { ...makeUser("b"), extra: { x: 1 } }]));
    expect(adaptRoles(mixed, makeContext()).conversation.messages).toEqual([
      { ...makeUser(["a", "b"]), extra: { x: 1 } },
    ]);
  });

  it("merges only the roles that the format lists", () => {
    const messages = [
      makeUser("a"),
      makeUser("b"),
      makeAssistant("c"),
      makeAssistant("d"),
      makeSystem("e"),
      makeSystem("f"),
    ];
    const context = makeContext({ rules: { merges: ["assistant"] } });
    expect(adaptRoles(makeRequestOf(makeConversation(messages)), context).conversation.messages).toEqual([
      messages[0],
      messages[1],
      makeAssistant(["c", "d"]),
      messages[4],
      messages[5],
    ]);
  });

  it("adds a user message first, and last if the model requires it", () => {
    const request = makeRequestOf(makeConversation([makeAssistant("a")]));
    const context = makeContext({ destination: { prefill: false } });
    expect(adaptRoles(request, context).conversation.messages).toEqual([
      makeUser(OPENING),
      makeAssistant("a"),
      makeUser(CONTINUE),
    ]);
    expect(context.warnings().map(({ feature }) => feature)).toEqual(["message.opening", "message.prefill"]);
    expect(adaptRoles(request, makeContext({ rules: { opensWithUser: false } }))).toBe(request);
  });

  it("lets a compaction block start and end the conversation", () => {
    const summary: Message = { role: "assistant", blocks: [{ type: "compaction", text: "x", vendor: "anthropic" }] };
    const alone = makeRequestOf(makeConversation([summary]));
    const context = makeContext({ destination: { prefill: false } });
    expect(adaptRoles(alone, context)).toBe(alone);
    const answered = makeRequestOf(makeConversation([summary, makeAssistant("a"), makeUser("b")]));
    expect(adaptRoles(answered, context).conversation.messages).toEqual([
      { role: "assistant", blocks: [...summary.blocks, ...makeAssistant("a").blocks] },
      makeUser("b"),
    ]);
    expect(context.warnings()).toEqual([]);
  });
});

const REQUEST = makeRequestOf(
  makeConversation([makeUser("Hi."), makeSystem([makeText("Be brief.", { ttl: "5m" }), "And kind."])], {
    system: [makeText("You are careful.")],
  }),
);

describe("markSystemMessages", () => {
  it("turns them into tagged user messages in place and leaves the prompt alone", () => {
    const context = makeContext();
    const { messages, system } = markSystemMessages(REQUEST, context).conversation;
    expect(system).toEqual([makeText("You are careful.")]);
    expect(messages).toEqual([
      makeUser("Hi."),
      makeUser([
        makeText("<system-reminder>\nBe brief.\n</system-reminder>", { ttl: "5m" }),
        makeText("<system-reminder>\nAnd kind.\n</system-reminder>"),
      ]),
    ]);
    expect(context.warnings()).toMatchObject([{ feature: "message.system", action: "changed", count: 1 }]);
  });

  it("writes a text that does not count as user-authored", () => {
    expect(isUserAuthored(markSystemMessages(REQUEST, makeContext()).conversation.messages[1])).toBe(false);
  });

  it("keeps them if the destination or the client's own format allows them", () => {
    expect(markSystemMessages(REQUEST, makeContext({ isNative: true }))).toBe(REQUEST);
    expect(markSystemMessages(REQUEST, makeContext({ destination: { systemMessages: true } }))).toBe(REQUEST);
    expect(markSystemMessages(REQUEST, makeContext({ rules: { systemMessages: true } }))).toBe(REQUEST);
    const never = makeContext({ isNative: true, destination: { systemMessages: false } });
    expect(markSystemMessages(REQUEST, never)).not.toBe(REQUEST);
  });
});
