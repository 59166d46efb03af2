import {
  anyConversation,
  makeAgentLoop,
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeSystem,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { droppedNote } from "../summaries/notes.ts";
import { makeContext, makeTestView } from "../testing/context.ts";
import { messageKinds, middleRange } from "./middle.ts";

describe("middleRange", () => {
  it("gives the start its share of the target and the end half of it, without splitting pairs", () => {
    const view = makeTestView(makeAgentLoop(20, 400), 1_600);
    const { from, to } = middleRange(view, 0.2);
    const tokens = (start: number, end: number) =>
      view.messageTokens.slice(start, end).reduce((sum, of) => sum + of, 0);
    const room = view.limits.targetTokens - (view.tokens - tokens(0, Infinity));
    expect(tokens(0, from)).toBeLessThanOrEqual(0.2 * room);
    expect(tokens(to, Infinity)).toBeLessThanOrEqual(0.5 * room);
    expect([from, to]).toEqual([3, 33]);
  });

  it("is empty where start and end hold everything", () => {
    const view = makeTestView(makeConversation([makeUser("a"), makeAssistant("b")]), 1_000);
    const { from, to } = middleRange(view, 0.2);
    expect(to - from).toBe(0);
  });

  it("leaves the newest step alone, however little the target leaves", () => {
    const [task, ...steps] = makeAgentLoop(3, 4_000).messages.slice(0, -1);
    const view = makeTestView(makeConversation([task ?? makeUser(), ...steps]), 1);
    expect(middleRange(view, 0.2)).toEqual({ from: 0, to: steps.length - 1 });
  });

  it("lies at legal cuts", () => {
    fc.assert(
      fc.property(
        anyConversation(),
        fc.nat(800),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (conversation, budget, share) => {
          const view = makeTestView(conversation, budget);
          const { from, to } = middleRange(view, share);
          expect(from).toBeLessThanOrEqual(to);
          expect([view.cuts()[from], view.cuts()[to]]).toEqual([true, true]);
        },
      ),
    );
  });
});

describe("messageKinds", () => {
  it("tells talk from tools, and both from what never goes", () => {
    const messages = [
      makeSystem(),
      makeUser("task"),
      makeAssistant(["I call.", makeToolCall("a")]),
      makeUser(makeToolResult("a")),
      makeAssistant("done"),
      makeAssistant(makeCompaction()),
      makeUser("latest"),
      makeAssistant("fine"),
    ];
    expect(messageKinds(makeTestView(makeConversation(messages), 1_000))).toEqual([
      "fixed",
      "user",
      "tool",
      "tool",
      "assistant",
      "fixed",
      "fixed",
      "assistant",
    ]);
  });

  it("lets no note of an earlier pass go", () => {
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c")]));
    const edit = { kind: "replace", from: 0, to: 1, with: [droppedNote(1)], reason: "drop" } as const;
    const context = makeContext(1_000);
    const noted = apply(draft, [edit], { answers: [], hash: context.hash });
    expect(messageKinds(makeView(noted, context))).toEqual(["fixed", "assistant", "fixed"]);
  });

  it("sees tools that stand as XML, and no user in what the client adds", () => {
    const snapshot = "<environment_details>\nx\n</environment_details>";
    const messages = [
      makeUser(["<task>\nGo.\n</task>", snapshot]),
      makeAssistant("<list_files>\n<path>.</path>\n</list_files>"),
      makeUser(["[list_files for '.'] Result:", "a.ts", snapshot]),
      makeAssistant("Hm."),
      makeUser(["[ERROR] You did not use a tool in your previous response!", snapshot]),
      makeAssistant("Done."),
      makeUser("Thanks."),
    ];
    expect(messageKinds(makeTestView(makeConversation(messages), 1_000))).toEqual([
      "user",
      "tool",
      "tool",
      "assistant",
      "assistant",
      "assistant",
      "fixed",
    ]);
  });
});
