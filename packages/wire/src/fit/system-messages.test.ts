import { isUsersOwn } from "@longhaul/conversation";
import { makeConversation, makeSystem, makeText, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { markSystemMessages } from "./system-messages.ts";

const REQUEST = makeRequestOf(
  makeConversation([makeUser("Hi."), makeSystem([makeText("Be brief.", { ttl: "5m" }), "And kind."])], {
    system: [makeText("You are careful.")],
  }),
);

describe("markSystemMessages", () => {
  it("marks them as user texts where they stand, and leaves the prompt alone", () => {
    const fitting = makeFitting();
    const { messages, system } = markSystemMessages(REQUEST, fitting).conversation;
    expect(system).toEqual([makeText("You are careful.")]);
    expect(messages).toEqual([
      makeUser("Hi."),
      makeUser([
        makeText("<system-reminder>\nBe brief.\n</system-reminder>", { ttl: "5m" }),
        makeText("<system-reminder>\nAnd kind.\n</system-reminder>"),
      ]),
    ]);
    expect(fitting.warnings()).toMatchObject([{ feature: "message.system", action: "changed", count: 1 }]);
  });

  it("makes a text that is not taken for the user's own words", () => {
    expect(isUsersOwn(markSystemMessages(REQUEST, makeFitting()).conversation.messages[1])).toBe(false);
  });

  it("leaves them alone where the target or the client's own format has them", () => {
    expect(markSystemMessages(REQUEST, makeFitting({ isNative: true }))).toBe(REQUEST);
    expect(markSystemMessages(REQUEST, makeFitting({ target: { systemMessages: true } }))).toBe(REQUEST);
    expect(markSystemMessages(REQUEST, makeFitting({ rules: { systemMessages: true } }))).toBe(REQUEST);
    const never = makeFitting({ isNative: true, target: { systemMessages: false } });
    expect(markSystemMessages(REQUEST, never)).not.toBe(REQUEST);
  });
});
