import { LonghaulError, pureHash } from "@longhaul/conversation/advanced";
import {
  anyConversation,
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeImage,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Ask, Edit } from "../edits/edit.ts";
import { anyPlan } from "../testing/any-plan.ts";
import { apply } from "./apply.ts";

const hash = pureHash;
const talk = makeConversation([makeUser("first"), makeAssistant("second"), makeUser("third")]);
const ask: Ask = { kind: "ask", messages: [], instructions: "Summarise.", maxTokens: 100, expectedTokens: 50 };

function applied(edits: readonly Edit[], conversation = talk, answers: Parameters<typeof apply>[2]["answers"] = []) {
  return apply(openDraft(conversation), edits, { answers, hash }).conversation.messages;
}

describe("apply", () => {
  it("returns the identical draft for an empty plan", () => {
    const draft = openDraft(talk);
    expect(apply(draft, [], { answers: [], hash })).toBe(draft);
    expect(draft.conversation).toBe(talk);
  });

  it("keeps untouched messages, system and tools identical", () => {
    const anyCase = anyConversation().chain((conversation) =>
      anyPlan(conversation).map((edits) => ({ conversation, edits })),
    );
    fc.assert(
      fc.property(anyCase, ({ conversation, edits }) => {
        const after = apply(openDraft(conversation), edits, { answers: [], hash }).conversation;
        expect(after.system).toBe(conversation.system);
        expect(after.tools).toBe(conversation.tools);
        const touched = new Set(edits.flatMap((edit) => (edit.kind === "replace" ? [] : [edit.at.message])));
        const dropped = edits.filter((edit) => edit.kind === "replace");
        const kept = conversation.messages.filter(
          (_, index) => !touched.has(index) && !dropped.some(({ from, to }) => from <= index && index < to),
        );
        for (const message of kept) expect(after.messages).toContain(message);
      }),
    );
  });

  it("splices spans of a text", () => {
    const splices = [
      { from: 4, to: 5, text: "T" },
      { from: 0, to: 1, text: "F" },
    ];
    const [message] = applied([
      { kind: "splice", at: { message: 0, block: 0, path: [] }, splices, reason: "truncate" },
    ]);
    expect(message).toEqual(makeUser("FirsT"));
  });

  it("replaces a tool call's input and keeps its id and name", () => {
    const conversation = makeConversation([makeUser(), makeAssistant(makeToolCall("a", { input: { path: "long" } }))]);
    const edit: Edit = {
      kind: "input",
      at: { message: 1, block: 0, path: [] },
      input: { note: "[]" },
      reason: "suppress",
    };
    expect(applied([edit], conversation)[1]).toEqual(makeAssistant(makeToolCall("a", { input: { note: "[]" } })));
  });

  it("removes an image from a result and leaves a line of text", () => {
    const conversation = makeConversation([makeUser(makeToolResult("a", [makeImage(), makeText("below")]))]);
    const edit: Edit = { kind: "remove", at: { message: 0, block: 0, path: [0] }, left: "[image]", reason: "drop" };
    expect(applied([edit], conversation)[0]).toEqual(
      makeUser(makeToolResult("a", [makeText("[image]"), makeText("below")])),
    );
  });

  it("removes several blocks of one message by the positions that the pass saw", () => {
    const conversation = makeConversation([makeUser(["a", "b", "c", "d"])]);
    const remove = (block: number): Edit => ({ kind: "remove", at: { message: 0, block, path: [] }, reason: "drop" });
    expect(applied([remove(0), remove(2)], conversation)[0]).toEqual(makeUser(["b", "d"]));
  });

  it("inserts answers in place of their asks", () => {
    const edit: Edit = {
      kind: "replace",
      from: 0,
      to: 2,
      with: [{ role: "system", parts: ["[", ask, "]"] }],
      reason: "summarize",
    };
    expect(applied([edit], talk, [{ kind: "text", text: "all of it" }])).toEqual([
      { role: "system", blocks: [makeText("[all of it]")] },
      makeUser("third"),
    ]);
  });

  it("puts a compaction block alone into its message", () => {
    const edit: Edit = {
      kind: "replace",
      from: 0,
      to: 2,
      with: [{ role: "system", parts: ["[", ask, "]"] }],
      reason: "summarize",
    };
    const block = makeCompaction();
    expect(applied([edit], talk, [{ kind: "compaction", block }])[0]).toEqual({ role: "assistant", blocks: [block] });
  });

  it.each([
    ["a failed answer", [{ kind: "failed", why: "the model refused" }], "the model refused"],
    ["a missing answer", [], "an ask has no answer"],
  ] as const)("throws for %s", (_, answers, message) => {
    const edit: Edit = {
      kind: "replace",
      from: 0,
      to: 2,
      with: [{ role: "system", parts: [ask] }],
      reason: "summarize",
    };
    expect(() => applied([edit], talk, answers)).toThrow(new LonghaulError("condense.failed", message));
  });

  it("rejects overlapping ranges and unknown positions", () => {
    const range = (from: number, to: number): Edit => ({ kind: "replace", from, to, with: [], reason: "drop" });
    expect(() => applied([range(0, 2), range(1, 3)])).toThrow(/cannot replace messages/);
    expect(() => applied([{ kind: "remove", at: { message: 0, block: 7, path: [] }, reason: "drop" }])).toThrow(
      /has no block 7/,
    );
    const splices = [{ from: 0, to: 1, text: "" }];
    expect(() =>
      applied([{ kind: "splice", at: { message: 0, block: 0, path: ["x"] }, splices, reason: "drop" }]),
    ).toThrow(/no text at block 0/);
  });
});
