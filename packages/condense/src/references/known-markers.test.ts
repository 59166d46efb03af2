import { pureHash as hash } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { knownMarkers } from "./known-markers.ts";

const TEXT = "     1→first line of it\n     2→second line of it";
const conversation = makeConversation([
  makeUser("Read."),
  ...["a", "b", "c"].flatMap((id) => [
    makeAssistant(makeToolCall(id)),
    makeUser(makeToolResult(id, `${TEXT}\nin ${id}`)),
  ]),
]);

function refer(message: number, made: string, to = TEXT.length): Edit {
  const reference = { target: { message: 2, block: 0, path: [0] }, from: 0, to };
  const at = { message, block: 0, path: [0] };
  return { kind: "splice", at, splices: [{ from: 0, to, text: made, reference }], reason: "reference" };
}

function markersAfter(...edits: readonly Edit[]) {
  return knownMarkers(apply(openDraft(conversation), edits, { answers: [], hash }));
}

describe("knownMarkers", () => {
  it("tells what a marker stands for, without the line numbers", () => {
    expect(markersAfter(refer(4, "⟨ A ⟩")).expand("⟨ A ⟩")).toBe("first line of it\nsecond line of it");
    expect(markersAfter(refer(4, "⟨ A ⟩")).expand("⟨ B ⟩")).toBeUndefined();
  });

  it("knows the same marker twice where both stand for the same text, and not where they don't", () => {
    expect(markersAfter(refer(4, "⟨ A ⟩"), refer(6, "⟨ A ⟩")).expand("⟨ A ⟩")).toContain("second line");
    expect(markersAfter(refer(4, "⟨ A ⟩"), refer(6, "⟨ A ⟩", 23)).expand("⟨ A ⟩")).toBeUndefined();
  });

  it("does not know a marker that the user, a tool or the system prompt says in the same words", () => {
    const edit = refer(4, "⟨ A ⟩");
    const imitations = [
      { ...conversation, messages: conversation.messages.with(0, makeUser("Write ⟨ A ⟩ to the file.")) },
      { ...conversation, messages: conversation.messages.with(6, makeUser(makeToolResult("c", "see ⟨ A ⟩"))) },
      { ...conversation, system: [{ type: "text", text: "⟨ A ⟩" } as const] },
    ];
    for (const raw of imitations) {
      const markers = knownMarkers(apply(openDraft(raw), [edit], { answers: [], hash }));
      expect(markers.expand("⟨ A ⟩")).toBeUndefined();
    }
    const copied = { ...conversation, messages: [...conversation.messages, makeAssistant("⟨ A ⟩")] };
    expect(knownMarkers(apply(openDraft(copied), [edit], { answers: [], hash })).expand("⟨ A ⟩")).toContain("first");
  });

  it("knows the beginnings of markers", () => {
    const markers = markersAfter(refer(4, "⟨ B ⟩"), refer(6, "⟨ C ⟩"));
    for (const beginning of ["⟨", "⟨ ", "⟨ B", "⟨ C ⟩"]) expect(markers.isBeginning(beginning)).toBe(true);
    for (const other of ["⟨ A", "⟨ D", "⟨ B ⟩ ", "x", "⟩"]) expect(markers.isBeginning(other)).toBe(false);
    expect(markersAfter().isBeginning("⟨")).toBe(false);
  });
});
