import {
  anyBrokenText,
  anyConversation,
  makeAssistant,
  makeConversation,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { mendText } from "./broken-text.ts";

describe("mendText", () => {
  it("returns the identical request where every character is whole", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const request = makeRequestOf(conversation);
        expect(mendText(request, makeFitting())).toBe(request);
      }),
    );
  });

  it("leaves no half of a character in texts, results and arguments, and drops what they came as", () => {
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
        const fitting = makeFitting();
        const { conversation } = mendText(request, fitting);
        expect(JSON.stringify(conversation)).not.toMatch(/\\ud[89a-f]/);
        expect(conversation.messages.map((message) => message.native)).toEqual([undefined, undefined, undefined]);
        expect(fitting.warnings()).toMatchObject([{ feature: "text.broken", action: "changed", count: 4 }]);
      }),
    );
  });

  it("leaves signed reasoning alone", () => {
    const request = makeRequestOf(makeConversation([makeAssistant([makeThinking("\ud83d"), "a"])]));
    expect(mendText(request, makeFitting())).toBe(request);
  });
});
