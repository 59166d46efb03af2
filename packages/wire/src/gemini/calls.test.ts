import type { Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { settleCalls } from "./calls.ts";
import { RULES } from "./rules.ts";

const FITTING = makeFitting({ rules: RULES });

function settle(messages: readonly Message[]): readonly Message[] {
  return settleCalls(makeRequestOf(makeConversation(messages)), FITTING).conversation.messages;
}

describe("settleCalls", () => {
  it("names every result after its call", () => {
    const calls = makeAssistant([makeToolCall("a"), makeToolCall("b", { name: "list" })]);
    expect(settle([calls, makeUser([makeToolResult("b", "2"), makeToolResult("a", "1")])])).toEqual([
      calls,
      makeUser([makeToolResult("b", "2", { name: "list" }), makeToolResult("a", "1", { name: "read_file" })]),
    ]);
  });

  it("puts results without ids in the order of their calls, and leaves other blocks in their places", () => {
    const [a, b] = ["gemini_call_r1_0", "gemini_call_r1_1"];
    const calls = makeAssistant([makeToolCall(a), makeToolCall(b)]);
    const results = [makeToolResult(b, "2"), makeText("Note."), makeToolResult(a, "1")];
    expect(settle([calls, makeUser(results)])[1]).toEqual(
      makeUser([
        makeToolResult(a, "1", { name: "read_file" }),
        makeText("Note."),
        makeToolResult(b, "2", { name: "read_file" }),
      ]),
    );
  });

  it("returns the identical request where there is nothing to settle", () => {
    const result = makeToolResult("a", "1", { name: "read_file" });
    const request = makeRequestOf(makeConversation([makeAssistant(makeToolCall("a")), makeUser(result)]));
    expect(settleCalls(request, FITTING)).toBe(request);
  });
});
