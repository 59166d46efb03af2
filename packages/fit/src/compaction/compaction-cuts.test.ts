import { type Draft, type KeptSlot, keptSlot, makeDraft, openDraft } from "@longhaul/condense";
import type { Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeSystem,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { compactionCuts } from "./compaction-cuts.ts";

function cutsOf(messages: readonly Message[], draft: Draft = openDraft(makeConversation(messages))): number[] {
  return compactionCuts(draft).flatMap((isLegal, at) => (isLegal ? [at] : []));
}

describe("compactionCuts", () => {
  it("lie before a message of another role, and at the end", () => {
    expect(cutsOf([makeUser("a"), makeAssistant("b"), makeUser("c")])).toEqual([1, 2, 3]);
    expect(cutsOf([makeUser("a"), makeUser("b"), makeAssistant("c")])).toEqual([2, 3]);
    expect(cutsOf([])).toEqual([]);
  });

  it("never lie before a system message", () => {
    expect(cutsOf([makeUser("a"), makeSystem("s"), makeAssistant("b"), makeSystem("t")])).toEqual([2, 4]);
  });

  it("never part a call from its result, nor leave one open at the end", () => {
    const loop = [makeUser("a"), makeAssistant([makeToolCall("x")]), makeUser(makeToolResult("x")), makeAssistant("b")];
    expect(cutsOf(loop)).toEqual([1, 3, 4]);
    expect(cutsOf(loop.slice(0, 2))).toEqual([1]);
  });

  it("never part a reference from the text that it points to", () => {
    const messages = [
      makeUser("long text"),
      makeAssistant("b"),
      makeUser("long text!"),
      makeAssistant("c"),
      makeUser("d"),
    ];
    const reference = {
      target: { message: 0, block: 0, path: [] },
      from: 0,
      to: 9,
      hash: "h",
      standsFor: { from: 0, to: 9 },
    };
    const change: KeptSlot["changes"][number] = {
      kind: "text",
      block: 0,
      path: [],
      pieces: [
        { made: "[above]", reference },
        { from: 9, to: 10 },
      ],
    };
    const raw = makeConversation(messages);
    const slots = messages.map((message, index) => keptSlot(message, index, index === 2 ? [change] : []));
    expect(cutsOf(messages, makeDraft(raw, slots))).toEqual([3, 4, 5]);
  });

  it("count what stands for messages as one message", () => {
    const raw = makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c")]);
    const made = { kind: "made", from: 0, to: 1, message: makeAssistant(makeCompaction()) } as const;
    const slots = [made, ...raw.messages.slice(1).map((message, index) => keptSlot(message, index + 1, []))];
    expect(cutsOf([], makeDraft(raw, slots))).toEqual([2, 3]);
  });
});
