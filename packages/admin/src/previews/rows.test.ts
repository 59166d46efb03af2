import { type Block, textBlock } from "@longhaul/conversation";
import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import type { LocatedBlock, Pair } from "./blocks.ts";
import { rowsOf, SHOWN_CHARS } from "./rows.ts";

const counter = makeRoughCounter();
const place = (block: Block, message = 0): LocatedBlock => ({ message, role: "user", block });
const text = (words: string, message = 0) => place(textBlock(words), message);
const all = { from: 0, limit: 100 };
const rows = (pairs: readonly Pair[], page: Parameters<typeof rowsOf>[1] = all) =>
  rowsOf({ pairs, messages: [] }, page, counter).rows;

describe("rowsOf", () => {
  it("shows an unchanged block once, even if it is another object", () => {
    const [row] = rows([{ before: text("same"), after: text("same", 7) }]);
    expect(row).toMatchObject({ at: 0, message: 0, kind: "text", fate: "kept", why: "", before: "same", isCut: false });
    expect(row).not.toHaveProperty("after");
    expect(row?.tokensAfter).toBe(row?.tokensBefore);
  });

  it.each([
    ["reference", "referenced"],
    ["consolidate", "referenced"],
    ["obsolete", "suppressed"],
    ["suppress", "suppressed"],
    ["truncate", "shortened"],
    ["cover", "shortened"],
    ["summarize", "summarised"],
    ["drop", "dropped"],
    ["thinking", "dropped"],
  ] as const)("says of %s that a text was %s, why, and by which pass", (reason, fate) => {
    const [row] = rows([{ before: text("a long text"), after: text("a"), cause: { reason, pass: "Pass" } }]);
    expect(row).toMatchObject({ fate, pass: "Pass", before: "a long text", after: "a" });
    expect(row?.why).not.toBe("");
    expect(row?.tokensAfter).toBeLessThan(row?.tokensBefore ?? 0);
  });

  it("uses marks if no edit was traced", () => {
    const after = (words: string) => rows([{ before: text("a long text"), after: text(words) }])[0]?.fate;
    expect(["[same as a.ts line 1 above]", "[Cleared to save context]", "a"].map(after)).toEqual([
      "referenced",
      "suppressed",
      "shortened",
    ]);
  });

  it("keeps a block that only a note was added to, and shows the note", () => {
    const noted = "a long text\n[2 messages left out: read src/a.ts]";
    const [row] = rows([{ before: text("a long text"), after: text(noted) }]);
    expect(row).toMatchObject({ fate: "kept", before: "a long text", after: noted });
    expect(row?.why).toContain("note or mark");
    expect(row?.tokensAfter).toBeGreaterThan(row?.tokensBefore ?? 0);
  });

  it("explains a removed block by its replacement: a summary or a note", () => {
    const [summary, note] = [text("They spoke of harbours."), text("[2 messages left out: read src/a.ts]")];
    const thought = place({ type: "thinking", text: "Hm." });
    const pairs = [
      { before: text("a"), replacement: summary },
      { after: summary },
      { before: text("b"), replacement: note },
      { after: note },
      { before: thought },
    ];
    expect(rows(pairs)).toMatchObject([
      { fate: "summarised", replacedBy: 1, tokensAfter: 0 },
      { fate: "added", kind: "summary", message: -1, tokensBefore: 0, after: "They spoke of harbours." },
      { fate: "dropped", replacedBy: 3 },
      { fate: "added", kind: "note" },
      { fate: "dropped", kind: "thinking", why: expect.stringContaining("Thinking") },
    ]);
    expect(rows(pairs, { from: 2, limit: 1 })).toMatchObject([{ at: 2, replacedBy: 3 }]);
  });

  it("shortens long texts between characters, except in a single requested row", () => {
    const long = `${"x".repeat(SHOWN_CHARS - 1)}😀${"y".repeat(SHOWN_CHARS)}`;
    const pairs = [{ before: text(long), after: text(`${long}!`) }];
    expect(rows(pairs)).toMatchObject([{ isCut: true, before: "x".repeat(SHOWN_CHARS - 1) }]);
    expect(rows(pairs, { ...all, row: 0 })).toMatchObject([{ isCut: false, before: long, after: `${long}!` }]);
    expect(rows(pairs, { ...all, row: 9 })).toEqual([]);
  });

  it("includes tool names", () => {
    const call = place({ type: "tool-call", id: "1", name: "read", input: {} });
    expect(rows([{ before: call, after: call }])).toMatchObject([{ kind: "call", name: "read" }]);
  });
});
