import { pureHash as hash } from "@longhaul/conversation/advanced";
import { makeAssistant, makeConversation, makeThinking, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { apply } from "../rewrite/apply.ts";
import { openDraft, piecesAt, rawSpan } from "./draft.ts";
import type { Edit } from "./edit.ts";

const raw = makeConversation([makeUser("dropped"), makeAssistant([makeThinking(), "0123456789"]), makeUser("end")]);
const edits: Edit[] = [
  { kind: "replace", from: 0, to: 1, with: [], reason: "drop" },
  { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "thinking" },
  {
    kind: "splice",
    at: { message: 1, block: 1, path: [] },
    splices: [{ from: 2, to: 5, text: "_" }],
    reason: "truncate",
  },
];
const draft = apply(openDraft(raw), edits, { answers: [], hash });

describe("a draft", () => {
  it("looks up the pieces of a text by its current position", () => {
    expect(piecesAt(draft, { message: 0, block: 0, path: [] })).toEqual([
      { from: 0, to: 2 },
      { made: "_" },
      { from: 5, to: 10 },
    ]);
    expect(piecesAt(draft, { message: 1, block: 0, path: [] })).toEqual([{ from: 0, to: 3 }]);
    expect(piecesAt(draft, { message: 9, block: 0, path: [] })).toBeUndefined();
  });

  it("finds the raw position of a kept span", () => {
    expect(rawSpan(draft, { message: 0, block: 0, path: [] }, { from: 3, to: 6 })).toEqual({
      target: { message: 1, block: 1, path: [] },
      span: { from: 5, to: 8 },
    });
  });

  it("throws for a span that is not raw", () => {
    expect(() => rawSpan(draft, { message: 0, block: 0, path: [] }, { from: 1, to: 4 })).toThrow(
      /text that is not raw/,
    );
  });
});
