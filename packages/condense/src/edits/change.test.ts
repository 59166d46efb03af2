import {
  makeAssistant,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anySplices } from "../testing/any-plan.ts";
import { type Piece, renderPieces, rewriteMessage, splicePieces, wholeText } from "./change.ts";

function spliceText(text: string, splices: readonly { from: number; to: number; text: string }[]): string {
  return splices
    .toReversed()
    .reduce((now, { from, to, text: made }) => now.slice(0, from) + made + now.slice(to), text);
}

describe("splicePieces", () => {
  it("renders the same text as splicing the text itself, also repeatedly", () => {
    const anyCase = fc.string({ minLength: 1, maxLength: 60 }).chain((raw) =>
      anySplices(raw.length).chain((first) => {
        const now = spliceText(raw, first);
        return anySplices(now.length).map((second) => ({ raw, first, second, now }));
      }),
    );
    fc.assert(
      fc.property(anyCase, ({ raw, first, second, now }) => {
        const once = splicePieces(wholeText(raw), first);
        expect(renderPieces(once, raw)).toBe(now);
        expect(renderPieces(splicePieces(once, second), raw)).toBe(spliceText(now, second));
      }),
    );
  });

  it("keeps raw spans as coordinates and joins adjacent ones", () => {
    const pieces = splicePieces(wholeText("abcdef"), [{ from: 2, to: 4, text: "_" }]);
    expect(pieces).toEqual([{ from: 0, to: 2 }, { made: "_" }, { from: 4, to: 6 }] satisfies Piece[]);
    expect(splicePieces(pieces, [{ from: 2, to: 3, text: "" }])).toEqual([
      { from: 0, to: 2 },
      { from: 4, to: 6 },
    ]);
  });

  it("records the span that a reference replaces", () => {
    const reference = { target: { message: 0, block: 0, path: [] }, from: 0, to: 2, hash: "h" };
    expect(splicePieces(wholeText("abcdef"), [{ from: 1, to: 5, text: "[ref]", reference }])).toEqual([
      { from: 0, to: 1 },
      { made: "[ref]", reference: { ...reference, standsFor: { from: 1, to: 5 } } },
      { from: 5, to: 6 },
    ]);
  });
});

describe("rewriteMessage", () => {
  it("returns the identical message without changes", () => {
    const message = makeUser(["a", "b"]);
    expect(rewriteMessage(message, [])).toEqual({ message, sources: [0, 1] });
    expect(rewriteMessage(message, []).message).toBe(message);
  });

  it("returns the raw index of each remaining block", () => {
    const message = makeAssistant([makeThinking(), "words", makeToolCall("a")]);
    const { message: after, sources } = rewriteMessage(message, [{ kind: "gone", block: 0, path: [] }]);
    expect({ after, sources }).toEqual({ after: makeAssistant(["words", makeToolCall("a")]), sources: [1, 2] });
  });

  it("applies several changes to one block", () => {
    const message = makeUser(makeToolResult("a", [makeText("first entry"), makeText("second entry")]));
    const { message: after } = rewriteMessage(message, [
      { kind: "text", block: 0, path: [0], pieces: [{ from: 0, to: 5 }] },
      { kind: "gone", block: 0, path: [1], left: "[gone]" },
    ]);
    expect(after).toEqual(makeUser(makeToolResult("a", [makeText("first"), makeText("[gone]")])));
  });

  it("keeps the cache mark of a block that is replaced by a text", () => {
    const message = makeUser([{ ...makeText("long"), cache: { ttl: "1h" } }]);
    const { message: after } = rewriteMessage(message, [{ kind: "gone", block: 0, path: [], left: "[]" }]);
    expect(after.blocks).toEqual([{ type: "text", text: "[]", cache: { ttl: "1h" } }]);
  });

  it("drops the native value of a changed block", () => {
    const native = { wire: "w", value: "raw" };
    const message = {
      ...makeUser([
        { ...makeText("long"), native },
        { ...makeText("kept"), native },
      ]),
      native,
    };
    const { message: after } = rewriteMessage(message, [{ kind: "text", block: 0, path: [], pieces: [{ made: "x" }] }]);
    expect(after).toEqual({ role: "user", blocks: [makeText("x"), { ...makeText("kept"), native }] });
  });
});
