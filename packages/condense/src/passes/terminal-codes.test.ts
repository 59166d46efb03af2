import { pureHash as hash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { withNotes } from "../rewrite/notes.ts";
import { makeContext } from "../testing/context.ts";
import { terminalCodesPass } from "./terminal-codes.ts";

const GREEN = `${String.fromCharCode(27)}[32m`;
const PLAIN = `${String.fromCharCode(27)}[0m`;

function strip(result: string, words = "Test it.") {
  const messages = [makeUser(words), makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a", result))];
  const draft = openDraft(makeConversation(messages));
  const edits = terminalCodesPass.plan(makeView(draft, makeContext(10_000)));
  return { draft, stripped: apply(draft, edits, { answers: [], hash }) };
}

describe("terminalCodesPass", () => {
  it("removes colors from tool results, and nothing from the latest user message", () => {
    const { stripped } = strip(`${GREEN}ok${PLAIN} 3 tests`, `Why ${GREEN}?`);
    expect(stripped.conversation.messages[0]).toEqual(makeUser(`Why ${GREEN}?`));
    expect(stripped.conversation.messages[2]).toEqual(makeUser(makeToolResult("a", "ok 3 tests")));
  });

  it("plans nothing for results without colors", () => {
    const { draft, stripped } = strip("ok 3 tests");
    expect(stripped.conversation).toEqual(draft.conversation);
  });

  it("counts as no omission", () => {
    const { stripped } = strip(`${GREEN}ok${PLAIN} 3 tests`);
    expect(withNotes(stripped, makeContext(10_000))).toBe(stripped);
  });
});
