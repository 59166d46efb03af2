import { pureHash as hash } from "@longhaul/conversation/advanced";
import {
  anyConversation,
  makeAssistant,
  makeConversation,
  makeText,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { anyPlan } from "../testing/any-plan.ts";
import { apply } from "./apply.ts";
import { flatten, type Projection, project, projectedMessages } from "./projection.ts";

/** A conversation with two plans, the second for the result of the first. */
const anyTwoRounds = anyConversation().chain((conversation) =>
  anyPlan(conversation).chain((first) => {
    const once = apply(openDraft(conversation), first, { answers: [], hash });
    return anyPlan(once.conversation).map((second) => apply(once, second, { answers: [], hash }));
  }),
);

describe("a projection", () => {
  it("replays all changes, whatever the order of edits", () => {
    fc.assert(
      fc.property(anyTwoRounds, (draft) => {
        const stored: Projection = JSON.parse(JSON.stringify(flatten(draft, hash)));
        expect(project(draft.raw, stored, hash).conversation).toEqual(draft.conversation);
      }),
    );
  });

  it("gives the same prefix after the conversation has grown", () => {
    fc.assert(
      fc.property(anyTwoRounds, anyConversation(), (draft, more) => {
        const longer = { ...draft.raw, messages: [...draft.raw.messages, ...more.messages] };
        const { messages } = project(longer, flatten(draft, hash), hash).conversation;
        expect(messages).toEqual([...draft.conversation.messages, ...more.messages]);
      }),
    );
  });

  it("is applied message by message, each read on demand", () => {
    fc.assert(
      fc.property(anyTwoRounds, fc.nat(), (draft, choice) => {
        const asked: number[] = [];
        const rawAt = (index: number) => {
          asked.push(index);
          return draft.raw.messages[index];
        };
        const { count, slotAt } = projectedMessages(flatten(draft, hash), draft.raw.messages.length, { rawAt, hash });
        expect(count).toBe(draft.slots.length);
        const position = count === 0 ? 0 : choice % count;
        const slot = draft.slots[position];
        expect(slotAt(position)?.message).toEqual(slot?.message);
        expect(asked).toEqual(slot?.kind === "kept" ? [slot.index] : count === 0 ? [draft.raw.messages.length] : []);
      }),
    );
  });

  it("contains none of the client's text", () => {
    const secret = "what only the client said, line by line";
    const conversation = makeConversation([makeUser(secret), makeAssistant(`${secret} again`), makeUser("short")]);
    const splices = [{ from: 5, to: 20, text: "[…]" }];
    const edits: Edit[] = [
      { kind: "splice", at: { message: 0, block: 0, path: [] }, splices, reason: "truncate" },
      { kind: "replace", from: 1, to: 2, with: [{ role: "user", parts: ["[gone]"] }], reason: "drop" },
    ];
    const stored = JSON.stringify(flatten(apply(openDraft(conversation), edits, { answers: [], hash }), hash));
    for (const word of secret.split(" ")) expect(stored).not.toContain(`${word} `);
    expect(stored).toContain("[gone]");
  });

  it("skips a change to a part that the client has modified", () => {
    const before = makeConversation([makeUser(makeToolResult("a", "a long result")), makeUser("go on")]);
    const edit: Edit = {
      kind: "splice",
      at: { message: 0, block: 0, path: [0] },
      splices: [{ from: 2, to: 7, text: "[…]" }],
      reason: "truncate",
    };
    const stored = flatten(apply(openDraft(before), [edit], { answers: [], hash }), hash);
    const cleared = makeConversation([makeUser(makeToolResult("a", "[cleared]")), makeUser("go on")]);
    expect(project(cleared, stored, hash).conversation.messages).toEqual(cleared.messages);
    expect(project(before, stored, hash).conversation.messages[0]).toEqual(
      makeUser(makeToolResult("a", [makeText("a […]result")])),
    );
  });

  it("keeps ranges as ranges", () => {
    const conversation = makeConversation([makeUser("a"), makeAssistant("b"), makeUser("c"), makeAssistant("d")]);
    const edit: Edit = { kind: "replace", from: 2, to: 3, with: [], reason: "drop" };
    expect(flatten(apply(openDraft(conversation), [edit], { answers: [], hash }), hash)).toEqual({
      version: 2,
      messages: 4,
      entries: [
        { kind: "keep", from: 0, to: 2 },
        { kind: "keep", from: 3, to: 4 },
      ],
    });
  });

  it("rejects a conversation that is shorter than the projection", () => {
    const stored = flatten(openDraft(makeConversation([makeUser("a"), makeAssistant("b")])), hash);
    expect(() => project(makeConversation([makeUser("a")]), stored, hash)).toThrow(
      /has 1 messages, but its projection covers 2/,
    );
  });
});
