import { type Conversation, pureHash as hash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeOpaque,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeView } from "../contract/view.ts";
import { type Draft, keptSlot, makeDraft, openDraft, type Slot } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext } from "../testing/context.ts";
import { violations } from "./invariants.ts";

const loop = makeConversation([
  makeUser("the task, in so many words that cutting it would make it smaller"),
  makeAssistant([makeText("I read the file."), makeToolCall("a", { input: { path: "src/long-name.ts" } })]),
  makeUser(makeToolResult("a", "a result of some length, so that there is something to cut")),
  makeAssistant("an answer of some length, so that there is something to cut"),
]);

function faultsOf(edits: readonly Edit[], conversation: Conversation = loop): string[] {
  const draft = openDraft(conversation);
  return judged(draft, apply(draft, edits, { answers: [], hash }));
}

function judged(before: Draft, after: Draft): string[] {
  return violations({ draft: before, view: makeView(before, makeContext(1000)) }, after);
}

const drop = (from: number, to: number): Edit => ({ kind: "replace", from, to, with: [], reason: "drop" });
const splice = (message: number, block: number, text: string): Edit => ({
  kind: "splice",
  at: { message, block, path: message === 2 ? [0] : [] },
  splices: [{ from: 0, to: 16, text }],
  reason: "truncate",
});

describe("violations", () => {
  it("returns nothing for a valid cut", () => {
    expect(faultsOf([splice(2, 0, "[…]"), splice(3, 0, "[…]")])).toEqual([]);
  });

  it("reports a call that lost its result, and a result that lost its call", () => {
    expect(faultsOf([drop(2, 3)])).toEqual(["call a lost its result"]);
    expect(faultsOf([drop(1, 2)])).toEqual(["the result of call a lost its call"]);
  });

  it("ignores orphans that existed before the pass", () => {
    const orphan = makeConversation([
      makeUser("task"),
      makeUser(makeToolResult("gone", "text")),
      makeAssistant("a longer answer"),
    ]);
    expect(
      faultsOf(
        [splice(2, 0, "[…]")].map((edit) => ({ ...edit, at: { message: 2, block: 0, path: [] } }) as Edit),
        orphan,
      ),
    ).toEqual([]);
  });

  it("reports an opaque result that lost its call, also beside one that had none", () => {
    const opaque = (side: "call" | "result", id: string) => ({ ...makeOpaque(`computer_${side}`), pair: { side, id } });
    const conversation = makeConversation([
      makeUser("task"),
      makeUser(opaque("result", "gone")),
      makeAssistant(opaque("call", "a")),
      makeUser(opaque("result", "a")),
      makeUser("go on"),
    ]);
    expect(faultsOf([drop(2, 3)], conversation)).toEqual(["the result of call a lost its call"]);
  });

  it("protects the latest user message, but not a result beside it", () => {
    expect(faultsOf([drop(0, 1)])).toContain("the latest user message was removed");
    expect(faultsOf([splice(0, 0, "[…]")])).toEqual(["the latest user message was changed"]);
    const both = makeConversation([
      makeUser("task"),
      makeAssistant(makeToolCall("a")),
      makeUser([makeToolResult("a", "a result of some length"), makeText("and my own words")]),
    ]);
    expect(faultsOf([splice(2, 0, "[…]")], both)).toEqual([]);
  });

  it("protects only the user's spans in a text that a client composed", () => {
    const answer =
      "The user approved this operation and provided the following context:\n<feedback>\nOnly once!\n</feedback>\n\n";
    const result = `${answer}a result of some length, so that there is something to cut`;
    const snapshot = "<environment_details>\n# Open Tabs: none, none at all\n</environment_details>";
    const composed = makeConversation([
      makeUser(["<task>\nGo.\n</task>", snapshot]),
      makeAssistant("<list_files>\n<path>.</path>\n</list_files>"),
      makeUser(["[list_files for '.'] Result:", result, snapshot]),
      makeAssistant("Well."),
    ]);
    const cut = (block: number, from: number, to: number): Edit => ({
      kind: "splice",
      at: { message: 2, block, path: [] },
      splices: [{ from, to, text: "[…]" }],
      reason: "truncate",
    });
    expect(faultsOf([cut(1, answer.length, result.length)], composed)).toEqual([]);
    expect(faultsOf([cut(2, 24, 50)], composed)).toEqual([]);
    expect(faultsOf([cut(1, 80, result.length)], composed)).toEqual(["the latest user message was changed"]);
    expect(faultsOf([drop(1, 3)], composed)).toEqual(["the latest user message was removed"]);
    expect(faultsOf([drop(0, 1)], composed)).not.toContain("the latest user message was removed");
  });

  it("reports reordered messages", () => {
    const slots = [1, 0, 3].map((index) => keptSlot(loop.messages[index]!, index, []));
    expect(judged(openDraft(loop), makeDraft(loop, slots))).toContain("messages were reordered");
  });

  it("reports messages and texts that became empty", () => {
    const empty = (message: number, path: number[]): Edit => {
      const { length } =
        message === 2
          ? "a result of some length, so that there is something to cut"
          : "an answer of some length, so that there is something to cut";
      return {
        kind: "splice",
        at: { message, block: 0, path },
        splices: [{ from: 0, to: length, text: " " }],
        reason: "truncate",
      };
    };
    expect(faultsOf([empty(3, [])])).toEqual(["message 3 became empty"]);
    expect(faultsOf([empty(2, [0])])).toEqual(["message 2 became empty"]);
    expect(faultsOf([{ kind: "remove", at: { message: 3, block: 0, path: [] }, reason: "drop" }])).toEqual([
      "message 3 became empty",
    ]);
    expect(
      faultsOf([{ kind: "replace", from: 3, to: 4, with: [{ role: "user", parts: [""] }], reason: "drop" }]),
    ).toEqual(["the replacement of messages 3 to 4 became empty"]);
  });

  it("reports a call whose input is no longer an object", () => {
    const slots = [...openDraft(loop).slots];
    const message = makeAssistant([makeText("I"), makeToolCall("a", { input: "cut" })]);
    slots[1] = {
      kind: "kept",
      index: 1,
      message,
      changes: [{ kind: "text", block: 1, path: [], pieces: [] }],
      sources: [0, 1],
    };
    expect(judged(openDraft(loop), makeDraft(loop, slots))).toEqual([
      "call a changed its id, its name or the type of its input",
    ]);
  });

  it("reports a plan that removes the first user message", () => {
    const twice = makeConversation([makeUser("task"), makeAssistant("reply"), makeUser("more"), makeUser("new")]);
    expect(faultsOf([drop(0, 2)], twice)).toContain("the first user message was removed");
    expect(faultsOf([drop(1, 3)], twice)).not.toContain("the first user message was removed");
  });

  it("reports a conversation that no longer starts with the user or a compaction block", () => {
    const twice = makeConversation([makeUser("old"), makeAssistant("reply"), makeUser("new")]);
    expect(faultsOf([drop(0, 1)], twice)).toContain("the conversation no longer starts with the user");
    const draft = openDraft(twice);
    const made = { kind: "made", message: makeAssistant(makeCompaction("s")), from: 0, to: 1 } as const;
    expect(judged(draft, makeDraft(twice, [made, ...draft.slots.slice(2)]))).not.toContain(
      "the conversation no longer starts with the user",
    );
  });

  it("reports a pass that does not reduce the size", () => {
    const draft = openDraft(loop);
    expect(judged(draft, makeDraft(loop, draft.slots))[0]).toMatch(/the result is not smaller \((\d+) → \1 tokens\)/);
  });

  it("reports a mark that replaces different texts", () => {
    const texts = ["line one of a file", "line two of a file"];
    const results = [...texts, ...texts].map((text, index) => makeUser(makeToolResult(`${index}`, text)));
    const refer = (message: number): Edit => ({
      kind: "splice",
      at: { message, block: 0, path: [0] },
      splices: [
        {
          from: 0,
          to: 18,
          text: "[ref]",
          reference: { target: { message: message - 2, block: 0, path: [0] }, from: 0, to: 18 },
        },
      ],
      reason: "reference",
    });
    const conversation = makeConversation([makeUser("task"), ...results]);
    expect(faultsOf([refer(3)], conversation)).toEqual([]);
    expect(faultsOf([refer(3), refer(4)], conversation)).toEqual(["the mark [ref] replaces different texts"]);
  });

  it("reports a broken reference", () => {
    const text = "line one of a file\nline two of a file\nline three of a file";
    const repeated = makeConversation([
      makeUser("task"),
      makeUser(makeToolResult("a", text)),
      makeUser(makeToolResult("b", text)),
    ]);
    const reference = { target: { message: 1, block: 0, path: [0] }, from: 0, to: text.length };
    const refer: Edit = {
      kind: "splice",
      at: { message: 2, block: 0, path: [0] },
      splices: [{ from: 0, to: text.length, text: "[ref]", reference }],
      reason: "reference",
    };
    const cut: Edit = {
      kind: "splice",
      at: { message: 1, block: 0, path: [0] },
      splices: [{ from: 0, to: 9, text: "" }],
      reason: "truncate",
    };
    const raw = openDraft(repeated);
    const slotsAfter = (edit: Edit) => apply(raw, [edit], { answers: [], hash }).slots;
    const [task, , referring] = slotsAfter(refer);
    const without = (...slots: (Slot | undefined)[]) =>
      makeDraft(
        repeated,
        slots.filter((slot) => slot !== undefined),
      );
    const broken = ["the reference in message 2 to message 1 is broken"];
    expect(faultsOf([refer], repeated)).toEqual([]);
    expect(judged(raw, without(task, slotsAfter(cut)[1], referring))).toEqual(broken);
    expect(judged(raw, without(task, referring))).toEqual(broken);
  });
});
