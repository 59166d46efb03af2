import { makeAgentLoop, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext, makeTestView } from "../testing/context.ts";
import { makeView } from "./view.ts";

describe("a view", () => {
  it("has sizes, the latest user message and the legal cuts", () => {
    const view = makeTestView(makeAgentLoop(1), 1000);
    expect(view.latestUserMessage).toBe(0);
    expect(view.cuts()).toEqual([true, true, false, true, true]);
    const rest = view.counter.countSystem(view.conversation.system) + view.counter.countTools(view.conversation.tools);
    expect(view.tokens).toBe(view.messageTokens.reduce((sum, tokens) => sum + tokens, rest));
  });

  it("treats a remark in a tool result as the latest user message, and later results not", () => {
    const answer = (text: string) => makeUser(["[list_files for '.'] Result:", text]);
    const remark =
      "The user approved this operation and provided the following context:\n<feedback>\nOnly src.\n</feedback>";
    const call = makeAssistant("<list_files>\n<path>.</path>\n</list_files>");
    const messages = [
      makeUser("<task>\nGo.\n</task>"),
      call,
      answer("a.ts"),
      call,
      answer(remark),
      call,
      answer("b.ts"),
    ];
    expect(makeTestView(makeConversation(messages), 1000).latestUserMessage).toBe(4);
  });

  it("computes contents once", () => {
    const view = makeTestView(makeConversation([makeUser("a"), makeAssistant("b")]), 1000);
    expect(view.contents()).toBe(view.contents());
  });

  it("does not count a generated note as a user message", () => {
    const context = makeContext(1000);
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b"), makeAssistant("c")]));
    const note = { role: "user", parts: ["note"] } as const;
    const edit = { kind: "replace", from: 1, to: 2, with: [note], reason: "drop" } as const;
    const noted = apply(draft, [edit], { answers: [], hash: context.hash });
    expect(makeView(noted, context).latestUserMessage).toBe(0);
  });

  it("returns the raw index of a message", () => {
    const context = makeContext(1000);
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b"), makeAssistant("c"), makeUser("d")]));
    const note = { role: "user", parts: ["note"] } as const;
    const edit = { kind: "replace", from: 1, to: 3, with: [note], reason: "drop" } as const;
    const view = makeView(apply(draft, [edit], { answers: [], hash: context.hash }), context);
    expect([0, 1, 2, 9].map(view.rawIndex)).toEqual([0, 1, 3, -1]);
  });

  it("distinguishes generated messages from raw ones", () => {
    const context = makeContext(1000);
    const draft = openDraft(makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c")]));
    const note = { role: "user", parts: ["note"] } as const;
    const noted = apply(draft, [{ kind: "replace", from: 0, to: 2, with: [note], reason: "drop" }], {
      answers: [],
      hash: context.hash,
    });
    const view = makeView(noted, context);
    expect([view.isMade(0), view.isMade(1)]).toEqual([true, false]);
    expect(view.latestUserMessage).toBe(1);
  });
});
