import {
  anyBlankText,
  makeAssistant,
  makeConversation,
  makeSystem,
  makeText,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { dropBlankText, NO_CONTENT } from "./blank-text.ts";

describe("dropBlankText", () => {
  it("returns the identical request where every text says something", () => {
    const request = makeRequestOf(makeConversation([makeUser("a"), makeAssistant("b")]));
    expect(dropBlankText(request, makeFitting())).toBe(request);
  });

  it("leaves blank texts out everywhere, and says so only for a user who said nothing", () => {
    fc.assert(
      fc.property(anyBlankText(), (blank) => {
        const result = makeToolResult("c", [makeText(blank), makeText("ok")]);
        const conversation = makeConversation(
          [makeUser(["Hi", blank]), makeAssistant(blank), makeUser(result), makeSystem(blank), makeUser(blank)],
          { system: [makeText(blank), makeText("Be brief.")] },
        );
        expect(dropBlankText(makeRequestOf(conversation), makeFitting()).conversation).toEqual(
          makeConversation([makeUser("Hi"), makeUser(makeToolResult("c", "ok")), makeUser(NO_CONTENT)], {
            system: [makeText("Be brief.")],
          }),
        );
      }),
    );
  });

  it("gives a user's message without blocks something to say", () => {
    const request = makeRequestOf(makeConversation([makeUser([])]));
    expect(dropBlankText(request, makeFitting()).conversation.messages).toEqual([makeUser(NO_CONTENT)]);
  });

  it("leaves them to servers that don't mind", () => {
    const request = makeRequestOf(makeConversation([makeUser(" ")]));
    expect(dropBlankText(request, makeFitting({ rules: { refusesBlankText: false } }))).toBe(request);
  });
});
