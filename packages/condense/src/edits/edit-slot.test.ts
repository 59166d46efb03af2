import { makeAssistant, makeImage, makeText, makeToolCall, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { keptSlot, type Slot } from "./draft.ts";
import type { Splice } from "./edit.ts";
import { editSlot, type InnerEdit } from "./edit-slot.ts";

const resolve = (splice: Splice) => ({ from: splice.from, to: splice.to, text: String(splice.text) });
const at = { message: 0, block: 0, path: [] };

/** Applies edits one after the other, each to the result of the previous one. */
function inTurn(slot: Slot, raw: Parameters<typeof keptSlot>[0], edits: readonly InnerEdit[]) {
  return edits.reduce<Slot>((now, edit) => editSlot(now, [edit], { rawAt: () => raw, resolve }), slot).message;
}

describe("editSlot", () => {
  it("splices the result of an earlier splice", () => {
    const raw = makeUser("abcdef");
    const cut = (from: number, to: number): InnerEdit => ({
      kind: "splice",
      at,
      splices: [{ from, to, text: "-" }],
      reason: "truncate",
    });
    expect(inTurn(keptSlot(raw, 0, []), raw, [cut(1, 3), cut(0, 2)])).toEqual(makeUser("-def"));
  });

  it("splices the text that replaced a removed block", () => {
    const raw = makeUser(makeImage());
    const remove: InnerEdit = { kind: "remove", at, left: "[image]", reason: "drop" };
    const cut: InnerEdit = { kind: "splice", at, splices: [{ from: 0, to: 2, text: "" }], reason: "truncate" };
    expect(inTurn(keptSlot(raw, 0, []), raw, [remove, cut])).toEqual(makeUser("mage]"));
  });

  it("splices a text inside a replaced input", () => {
    const raw = makeAssistant(makeToolCall("a", { input: { path: "x", body: "long" } }));
    const replace: InnerEdit = { kind: "input", at, input: { note: "[gone]" }, reason: "suppress" };
    const cut: InnerEdit = {
      kind: "splice",
      at: { ...at, path: ["note"] },
      splices: [{ from: 0, to: 2, text: "" }],
      reason: "truncate",
    };
    expect(inTurn(keptSlot(raw, 0, []), raw, [replace, cut])).toEqual(
      makeAssistant(makeToolCall("a", { input: { note: "one]" } })),
    );
  });

  it("drops the splices of a block that is removed later", () => {
    const raw = makeUser("abcdef");
    const cut: InnerEdit = { kind: "splice", at, splices: [{ from: 1, to: 3, text: "-" }], reason: "truncate" };
    const remove: InnerEdit = { kind: "remove", at, left: "[]", reason: "suppress" };
    const slot = [cut, remove].reduce<Slot>(
      (now, edit) => editSlot(now, [edit], { rawAt: () => raw, resolve }),
      keptSlot(raw, 0, []),
    );
    expect(slot).toMatchObject({ changes: [{ kind: "gone", block: 0, path: [], left: "[]" }] });
  });

  it("edits a generated message in place", () => {
    const made: Slot = { kind: "made", message: makeUser("a summary"), from: 0, to: 4 };
    const cut: InnerEdit = { kind: "splice", at, splices: [{ from: 0, to: 2, text: "" }], reason: "truncate" };
    expect(editSlot(made, [cut], { rawAt: () => undefined, resolve })).toEqual({
      ...made,
      message: makeUser([makeText("summary")]),
    });
  });
});
