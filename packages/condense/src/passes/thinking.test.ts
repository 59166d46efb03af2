import { pureHash as hash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { dropThinking, firstDifference, openLoopStart } from "./thinking.ts";

describe("firstDifference", () => {
  const before = makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c")]);

  it("returns the length if nothing differs, whatever the serialization", () => {
    const again = makeConversation([makeUser([makeText("a", {})]), makeAssistant("b"), makeUser("c")]);
    expect(firstDifference(before, again, hash)).toBe(3);
  });

  it("returns the index of the first message with different content", () => {
    expect(firstDifference(before, makeConversation([makeUser("a"), makeAssistant("B"), makeUser("c")]), hash)).toBe(1);
  });
});

describe("dropThinking", () => {
  const messages = [
    makeUser("task"),
    makeAssistant([makeThinking("early"), "answer"]),
    makeUser("more"),
    makeAssistant([makeThinking("late"), makeRedactedThinking(), makeToolCall("a")]),
    makeAssistant(makeThinking("alone")),
    makeUser(makeToolResult("a")),
  ];

  it("removes thinking after the first change, and whole messages without other content", () => {
    const edits = dropThinking(messages, 2, messages.length);
    expect(apply(openDraft(makeConversation(messages)), edits, { answers: [], hash }).conversation.messages).toEqual([
      messages[0],
      messages[1],
      messages[2],
      makeAssistant(makeToolCall("a")),
      messages[5],
    ]);
  });

  it("keeps thinking from the open loop on", () => {
    expect(dropThinking(messages, 0, 3)).toEqual([
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "thinking" },
    ]);
  });
});

describe("openLoopStart", () => {
  it("returns the index after the latest user message while results wait for a reply", () => {
    const messages = [makeUser("task"), makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a"))];
    expect(openLoopStart(messages, 0)).toBe(1);
  });

  it("returns the end if no loop is open", () => {
    expect(openLoopStart([makeUser("task"), makeAssistant("done")], 0)).toBe(2);
  });
});
