import { pureHash as hash, type Message } from "@longhaul/conversation";
import { makeAssistant, makeCompaction, makeConversation, makeSystem, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { MadeMessage } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext, makeTestView } from "../testing/context.ts";
import { droppedNote, earlierSummary, summaryIn, summaryNote } from "./notes.ts";

const SUMMARY = "[Earlier conversation summary: so far]";

describe("notes", () => {
  it("say how many messages were dropped", () => {
    expect(droppedNote(1)).toEqual({
      role: "user",
      parts: ["⟨ 1 earlier message removed to fit the context window ⟩"],
    });
    expect(droppedNote(12).parts).toEqual(["⟨ 12 earlier messages removed to fit the context window ⟩"]);
  });

  it("tell a summary apart from a system message that somebody wrote", () => {
    expect(summaryNote("so far")).toEqual({
      role: "system",
      parts: ["[Earlier conversation summary: ", "so far", "]"],
    });
    expect(summaryIn(makeSystem(SUMMARY))).toBe("so far");
    expect(summaryIn(makeUser(SUMMARY))).toBeUndefined();
    expect(summaryIn(makeSystem("Be brief."))).toBeUndefined();
    expect(summaryIn(makeSystem([SUMMARY, "more"]))).toBeUndefined();
  });
});

describe("earlierSummary", () => {
  function summaryOf(message: Message): string | undefined {
    return earlierSummary(makeTestView(makeConversation([message]), 100), 0);
  }

  function madeSummary(made: MadeMessage): string | undefined {
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b")]));
    const edit = { kind: "replace", from: 0, to: 1, with: [made], reason: "summarize" } as const;
    return earlierSummary(makeView(apply(draft, [edit], { answers: [], hash }), makeContext(100)), 0);
  }

  it("reads a summary that stands in the history", () => {
    expect(summaryOf(makeSystem(SUMMARY))).toBe("so far");
    expect(summaryOf({ ...makeAssistant("so far"), extra: { isSummary: true } })).toBe("so far");
  });

  it("reads a summary of an earlier pass, whatever its form, but no note of dropped messages", () => {
    expect(madeSummary({ role: "assistant", parts: ["so far"] })).toBe("so far");
    expect(madeSummary(summaryNote("so far"))).toBe("so far");
    expect(madeSummary(droppedNote(3))).toBeUndefined();
  });

  it("finds none in what people said, in sealed blocks, and past the end", () => {
    expect(summaryOf(makeAssistant("so far"))).toBeUndefined();
    expect(summaryOf(makeAssistant(makeCompaction("so far")))).toBeUndefined();
    expect(earlierSummary(makeTestView(makeConversation([makeUser()]), 100), 7)).toBeUndefined();
  });
});
