import {
  anyBlankText,
  anyBrokenText,
  anyConversation,
  makeAssistant,
  makeConversation,
  makeSystem,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeContext, makeRequestOf } from "../testing/make-context.ts";
import { dropBlankText, NO_CONTENT, repairText } from "./text.ts";

describe("dropBlankText", () => {
  it("returns the identical request if no text is blank", () => {
    const request = makeRequestOf(makeConversation([makeUser("a"), makeAssistant("b")]));
    expect(dropBlankText(request, makeContext())).toBe(request);
  });

  it("drops blank text everywhere, and marks only user messages without content", () => {
    fc.assert(
      fc.property(anyBlankText(), (blank) => {
        const result = makeToolResult("c", [makeText(blank), makeText("ok")]);
        const conversation = makeConversation(
          [makeUser(["Hi", blank]), makeAssistant(blank), makeUser(result), makeSystem(blank), makeUser(blank)],
          { system: [makeText(blank), makeText("Be brief.")] },
        );
        expect(dropBlankText(makeRequestOf(conversation), makeContext()).conversation).toEqual(
          makeConversation([makeUser("Hi"), makeUser(makeToolResult("c", "ok")), makeUser(NO_CONTENT)], {
            system: [makeText("Be brief.")],
          }),
        );
      }),
    );
  });

  it("adds a placeholder to a user message without blocks", () => {
    const request = makeRequestOf(makeConversation([makeUser([])]));
    expect(dropBlankText(request, makeContext()).conversation.messages).toEqual([makeUser(NO_CONTENT)]);
  });

  it("keeps blank text for servers that accept it", () => {
    const request = makeRequestOf(makeConversation([makeUser(" ")]));
    expect(dropBlankText(request, makeContext({ rules: { refusesBlankText: false } }))).toBe(request);
  });
});

describe("repairText", () => {
  it("returns the identical request if every character is complete", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const request = makeRequestOf(conversation);
        expect(repairText(request, makeContext())).toBe(request);
      }),
    );
  });

  it("replaces unpaired surrogates in text, results and arguments, and drops their native values", () => {
    fc.assert(
      fc.property(anyBrokenText(), (text) => {
        const native = { wire: "anthropic-messages", value: {} };
        const input = { path: "a", edits: [{ text }, 7], [text]: null };
        const request = makeRequestOf(
          makeConversation(
            [
              { ...makeUser([{ ...makeText(text), native }, "whole"]), native },
              makeAssistant({ ...makeToolCall("a", { input }), native }),
              makeUser({ ...makeToolResult("a", [makeText(text)]), native }),
            ],
            { system: [makeText(text)] },
          ),
        );
        const context = makeContext();
        const { conversation } = repairText(request, context);
        expect(JSON.stringify(conversation)).not.toMatch(/\\ud[89a-f]/);
        expect(conversation.messages.map((message) => message.native)).toEqual([undefined, undefined, undefined]);
        expect(context.warnings()).toMatchObject([{ feature: "text.broken", action: "changed", count: 4 }]);
      }),
    );
  });

  it("does not change signed reasoning", () => {
    const request = makeRequestOf(makeConversation([makeAssistant([makeThinking("\ud83d"), "a"])]));
    expect(repairText(request, makeContext())).toBe(request);
  });
});
