import { pureHash as hash } from "@longhaul/conversation/advanced";
import { makeConversation, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { makeView } from "../contract/view.ts";
import { type Draft, openDraft } from "../edits/draft.ts";
import type { Splice } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeContext } from "../testing/context.ts";
import { MarkBook } from "./mark-book.ts";
import { subjectOf } from "./subject.ts";
import { type FoundUnit, unitsOf } from "./units.ts";

const at = { message: 1, block: 0, path: [0] };

/** Returns the raw spans of a result after splices. */
function unitsAfter(text: string, ...splices: readonly Splice[]): FoundUnit[] {
  const conversation = makeConversation([makeUser("task"), makeUser(makeToolResult("a", text))]);
  const edit = { kind: "splice", at, splices, reason: "truncate" } as const;
  const draft = apply(openDraft(conversation), splices.length === 0 ? [] : [edit], { answers: [], hash });
  return unitsIn(draft, ({ level }) => (level === "result" ? "group" : undefined));
}

function unitsIn(draft: Draft, groupOf: (content: Content) => string | undefined): FoundUnit[] {
  const { origin, contents } = makeView(draft, makeContext(1000));
  return unitsOf(contents().contents, { origin, groupOf, subjectOf, book: new MarkBook() });
}

function spans(units: readonly FoundUnit[]): string[] {
  return units.map(({ raw, passage: { from, to } }) => raw.slice(from, to));
}

describe("unitsOf", () => {
  it("returns an unchanged content as a whole, in its group", () => {
    expect(unitsAfter("one\ntwo")).toMatchObject([
      { isWhole: true, shift: 0, passage: { from: 0, to: 7, group: "group" } },
    ]);
  });

  it("returns the rest of a content, in whole lines", () => {
    const text = "one\ntwo\nthree\nfour\nfive";
    expect(spans(unitsAfter(text, { from: 4, to: 7, text: "[mark]" }))).toEqual(["one", "three\nfour\nfive"]);
    expect(spans(unitsAfter(text, { from: 9, to: 16, text: "…" }))).toEqual(["one\ntwo", "five"]);
    expect(spans(unitsAfter(text, { from: 0, to: 4, text: "" }))).toEqual(["two\nthree\nfour\nfive"]);
    expect(spans(unitsAfter(text, { from: 1, to: text.length, text: "…" }))).toEqual([]);
  });

  it("returns the rest of a JSON text, in whole lines and with their numbers", () => {
    const text = JSON.stringify({ output: "one\ntwo\nthree" });
    const units = unitsAfter(text, { from: text.indexOf("two"), to: text.indexOf("two") + 3, text: "[mark]" });
    expect(spans(units)).toEqual(['{"output":"one', 'three"}']);
    expect(units.map(({ firstLine }) => firstLine)).toEqual([1, 3]);
  });

  it("drops the empty line that a mark replaced", () => {
    const text = "one\n\ntwo\n\nthree";
    expect(spans(unitsAfter(text, { from: 4, to: 9, text: "[mark]" }))).toEqual(["one", "three"]);
  });

  it("maps raw offsets to current ones", () => {
    const [head, tail] = unitsAfter("one\ntwo\nthree", { from: 4, to: 7, text: "[mark]" });
    expect([head?.shift, tail?.shift]).toEqual([0, "[mark]".length - 3]);
    expect(tail?.isWhole).toBe(false);
  });

  it("returns nothing for generated messages", () => {
    const conversation = makeConversation([makeUser("task"), makeUser("more")]);
    const drop = {
      kind: "replace",
      from: 0,
      to: 1,
      with: [{ role: "user", parts: ["ours"] }],
      reason: "drop",
    } as const;
    const draft = apply(openDraft(conversation), [drop], { answers: [], hash });
    const units = unitsIn(draft, () => "");
    expect(units.map((unit) => unit.content.text)).toEqual(["more"]);
  });
});
