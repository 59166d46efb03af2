import { pureHash as hash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import {
  type FilteredKind,
  filterText,
  finishFilter,
  type KnownReferences,
  knownReferences,
  openFilter,
} from "./known-references.ts";

const references: KnownReferences = {
  expand: (reference) => (reference === "[a]" ? 'one\n"two"' : undefined),
  isPrefix: (text) => ["[a]", "[ambiguous]"].some((reference) => reference.startsWith(text)),
};

function filterAll(kind: FilteredKind, ...pieces: readonly string[]) {
  let filter = openFilter(kind);
  let out = "";
  let expansions = 0;
  for (const piece of pieces) {
    const step = filterText(filter, piece, references);
    filter = step.filter;
    out += step.text;
    expansions += step.expansions;
  }
  const { text, expansions: last } = finishFilter(filter, references);
  return { out: out + text, expansions: expansions + last };
}

describe("filterText", () => {
  it("expands a reference according to the kind of text", () => {
    expect(filterAll("text", "x [a", "] y")).toEqual({ out: 'x one\n"two" y', expansions: 1 });
    expect(filterAll("free-text", "[a", "]")).toEqual({ out: 'one\n"two"', expansions: 1 });
    expect(filterAll("json", '{"k":"[a', ']"}')).toEqual({ out: '{"k":"one\\n\\"two\\""}', expansions: 1 });
  });

  it("keeps a reference in arguments that is not a whole value", () => {
    for (const text of ['"[a]"', "[a]\n", "x [a]", "[a][a]"]) {
      expect(filterAll("free-text", text)).toEqual({ out: text, expansions: 0 });
    }
    for (const text of ['{"[a]":1}', '{"k":"[a] "}', '{"k":"x[a]"}', '{"k":"[a][a]"}', '[1,{"a":1,"[a]":[]}]']) {
      expect(filterAll("json", text)).toEqual({ out: text, expansions: 0 });
    }
    expect(filterAll("json", '[{"b":[]},"[a]"]').expansions).toBe(1);
  });

  it("keeps an ambiguous reference, and one outside of a JSON string", () => {
    expect(filterAll("text", "[ambiguous].")).toEqual({ out: "[ambiguous].", expansions: 0 });
    expect(filterAll("json", '[a]"[a"')).toEqual({ out: '[a]"[a"', expansions: 0 });
  });

  it("finds a reference that starts where another one broke off", () => {
    expect(filterAll("text", "[[a]").out).toBe('[one\n"two"');
    expect(filterAll("json", '"\\u005Ba\\u005d"').out).toBe('"one\\n\\"two\\""');
  });

  it("changes nothing in a text without references, however it is split", () => {
    const text = fc.string({ unit: fc.constantFrom("[", " ", "a", "]", '"', "\\", "u", "2", "7", "e", "8", "n", "{") });
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom<FilteredKind[]>("text", "free-text", "json"), (pieces, kind) => {
        const { out, expansions } = filterAll(kind, ...pieces);
        if (expansions === 0) expect(out).toBe(pieces.join(""));
        expect(filterAll(kind, pieces.join(""))).toEqual({ out, expansions });
      }),
    );
  });
});

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

function referencesAfter(...edits: readonly Edit[]) {
  return knownReferences(apply(openDraft(conversation), edits, { answers: [], hash }));
}

describe("knownReferences", () => {
  it("returns the text that a reference replaces, without line numbers", () => {
    expect(referencesAfter(refer(4, "[A]")).expand("[A]")).toBe("first line of it\nsecond line of it");
    expect(referencesAfter(refer(4, "[A]")).expand("[B]")).toBeUndefined();
  });

  it("knows a repeated reference if both replace the same text, and not otherwise", () => {
    expect(referencesAfter(refer(4, "[A]"), refer(6, "[A]")).expand("[A]")).toContain("second line");
    expect(referencesAfter(refer(4, "[A]"), refer(6, "[A]", 23)).expand("[A]")).toBeUndefined();
  });

  it("does not know a reference that the user, a tool or the system prompt also contains", () => {
    const edit = refer(4, "[A]");
    const imitations = [
      { ...conversation, messages: conversation.messages.with(0, makeUser("Write [A] to the file.")) },
      { ...conversation, messages: conversation.messages.with(6, makeUser(makeToolResult("c", "see [A]"))) },
      { ...conversation, system: [{ type: "text", text: "[A]" } as const] },
    ];
    for (const raw of imitations) {
      const references = knownReferences(apply(openDraft(raw), [edit], { answers: [], hash }));
      expect(references.expand("[A]")).toBeUndefined();
    }
    const summary: Edit = {
      kind: "replace",
      from: 5,
      to: 7,
      with: [{ role: "user", parts: ["So [A]."] }],
      reason: "summarize",
    };
    expect(referencesAfter(edit, summary).expand("[A]")).toBeUndefined();
    const copied = { ...conversation, messages: [...conversation.messages, makeAssistant("[A]")] };
    expect(knownReferences(apply(openDraft(copied), [edit], { answers: [], hash })).expand("[A]")).toContain("first");
  });

  it("recognizes the start of a reference", () => {
    const references = referencesAfter(refer(4, "[B]"), refer(6, "[C]"));
    for (const beginning of ["[", "[B", "[C]"]) expect(references.isPrefix(beginning)).toBe(true);
    for (const other of ["[A", "[D", "[B] ", "x", "]"]) expect(references.isPrefix(other)).toBe(false);
    expect(referencesAfter().isPrefix("[")).toBe(false);
  });
});
