import { pureHash as hash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { type Draft, type KeptSlot, makeDraft, openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { brokenReferences, expandReference, rawText } from "./check.ts";

const TEXT = "a line of the file\nanother line of the file";
const raw = openDraft(
  makeConversation([
    makeUser("Read."),
    makeUser(makeToolResult("a", TEXT)),
    makeUser(makeToolResult("b", TEXT)),
    makeAssistant(makeToolCall("c", { input: { first: TEXT, second: TEXT } })),
  ]),
);

function refer(at: Edit & { kind: "splice" }): Draft {
  return apply(raw, [at], { answers: [], hash });
}

const target = { message: 1, block: 0, path: [0] };
const splice = (
  message: number,
  path: readonly (string | number)[],
  pointsTo: typeof target | { message: number; block: number; path: string[] },
) =>
  ({
    kind: "splice",
    at: { message, block: 0, path },
    splices: [{ from: 0, to: TEXT.length, text: "[ref]", reference: { target: pointsTo, from: 0, to: TEXT.length } }],
    reason: "reference",
  }) as const;

const referring = refer(splice(2, [0], target));

/** Changes one message of a draft without the engine. */
function tampered(draft: Draft, index: number, change: (slot: KeptSlot) => KeptSlot): Draft {
  return makeDraft(
    draft.raw,
    draft.slots.map((slot, at) => (at === index && slot.kind === "kept" ? change(slot) : slot)),
  );
}

const withReference = (slot: KeptSlot, fields: object): KeptSlot =>
  JSON.parse(JSON.stringify(slot), (key, value) => (key === "reference" ? { ...value, ...fields } : value));

describe("brokenReferences", () => {
  it("returns nothing for sound references", () => {
    expect(brokenReferences(referring)).toEqual([]);
    expect(brokenReferences(refer(splice(3, ["second"], { message: 3, block: 0, path: ["first"] })))).toEqual([]);
  });

  it.each<[string, object]>([
    ["does not reproduce the replaced text", { to: TEXT.length - 1 }],
    ["has another line format", { dressing: { ending: "\r" } }],
    ["points to a missing text", { target: { message: 1, block: 3, path: [0] } }],
    ["points to itself", { target: { message: 2, block: 0, path: [0] } }],
    ["points forward", { target: { message: 3, block: 0, path: ["first"] } }],
  ])("reports a reference that %s", (_, fields) => {
    const broken = tampered(referring, 2, (slot) => withReference(slot, fields));
    expect(brokenReferences(broken)).toHaveLength(1);
    expect(brokenReferences(broken, referring)).toHaveLength(1);
  });

  it("reports a reference to a later text of its own block", () => {
    expect(
      brokenReferences(
        tampered(refer(splice(3, ["second"], { message: 3, block: 0, path: ["first"] })), 3, (slot) => ({
          ...slot,
          changes: slot.changes.map((change) => ({ ...change, path: ["first"] })),
        })),
      ),
    ).toHaveLength(1);
  });

  it("checks a reference again whose target changed, and skips unchanged slots", () => {
    const targetGone = tampered(referring, 1, (slot) => ({ ...slot, sources: [] }));
    expect(brokenReferences(targetGone, referring)).toHaveLength(1);
    const broken = tampered(referring, 2, (slot) => withReference(slot, { to: 3 }));
    expect(brokenReferences(broken, broken)).toEqual([]);
  });
});

const conversation = makeConversation([makeUser("Read."), makeUser(makeToolResult("a", "head\n  one\n  two\ntail"))]);

describe("expandReference", () => {
  it("reconstructs the text from the record", () => {
    expect(expandReference(conversation, { target, from: 5, to: 16 })).toBe("  one\n  two");
    const dressing = { numbering: { first: 9, width: 3, separator: "→" } };
    expect(expandReference(conversation, { target, from: 5, to: 16, dressing })).toBe("  9→  one\n 10→  two");
  });

  it("returns undefined if the target does not have the recorded format", () => {
    const targetDressing = { ending: "\r" } as const;
    expect(expandReference(conversation, { target, from: 5, to: 16, targetDressing })).toBeUndefined();
  });
});

describe("rawText", () => {
  it("returns an empty string if there is no text", () => {
    expect(rawText(conversation, { ...target, message: 7 })).toBe("");
    expect(rawText(conversation, { ...target, path: [3] })).toBe("");
  });
});
