import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import { keepLastPass } from "./keep-last.ts";

const LONG = "some words ".repeat(30);
const CHAT = makeConversation(
  Array.from({ length: 9 }, (_, index) => (index % 2 === 0 ? makeUser(LONG) : makeAssistant(LONG))),
);
const ranges = (edits: readonly object[]) =>
  edits.map((edit) => ("from" in edit && "to" in edit ? [edit.from, edit.to] : []));

describe("keepLastPass", () => {
  it("drops all but the last messages", () => {
    expect(ranges(keepLastPass(4).plan(makeTestView(CHAT, 1_000)))).toEqual([[0, 5]]);
  });

  it("leaves a short conversation alone", () => {
    expect(keepLastPass(9).plan(makeTestView(CHAT, 1_000))).toEqual([]);
  });

  it("lets a pair go whole rather than keep more than it may, and keeps the user's words", () => {
    const view = makeTestView(makeAgentLoop(10, 400), 1_000);
    expect(ranges(keepLastPass(4).plan(view))).toEqual([[1, 19]]);
  });

  it("keeps an open pair whole where nothing else is left", () => {
    const messages = [...CHAT.messages, makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a", LONG))];
    expect(ranges(keepLastPass(1).plan(makeTestView(makeConversation(messages), 1_000)))).toEqual([[0, 8]]);
  });
});
