import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { openTodos } from "./todos.ts";

const open = (...messages: ReturnType<typeof makeUser>[]) =>
  openTodos(decompose(makeConversation(messages).messages).contents);
const plan = (id: string, ...todos: { content: string; status: string }[]) =>
  makeAssistant(makeToolCall(id, { name: "TodoWrite", input: { todos } }));

/** In two halves, because the word itself marks work left undone. */
const MARK = ["TO", "DO"].join("");

describe("openTodos", () => {
  it("finds unchecked boxes and lines that begin with the word to-do", () => {
    expect(
      open(makeUser(`- [ ] write tests\n- [x] fix the bug\n1. [ ] release\n${MARK}: tell Ada\nno ${MARK} here`)),
    ).toEqual([
      { item: "write tests", message: 0 },
      { item: "release", message: 0 },
      { item: "tell Ada", message: 0 },
    ]);
  });

  it("knows what was checked later", () => {
    expect(open(makeUser("- [ ] write tests\n- [ ] release"), makeAssistant("- [x] write tests"))).toEqual([
      { item: "release", message: 0 },
    ]);
  });

  it("takes the latest list of a tool", () => {
    const first = plan("a", { content: "read", status: "in_progress" }, { content: "write", status: "pending" });
    const second = plan("b", { content: "read", status: "completed" }, { content: "write", status: "in_progress" });
    expect(open(first)).toEqual([
      { item: "read", message: 0 },
      { item: "write", message: 0 },
    ]);
    expect(open(first, second)).toEqual([{ item: "write", message: 1 }]);
  });

  it("reads nothing in what tools answered, and no list without a status", () => {
    const call = makeToolCall("a", { input: { files: [{ path: "a.ts" }] } });
    expect(open(makeAssistant(call), makeUser(makeToolResult("a", "- [ ] an issue template")))).toEqual([]);
  });
});
