import { describe, expect, it } from "vitest";
import { addPiece, addText, chain, closeBlock, itemKey, noBlocks, openBlock, partKey } from "./stream-blocks.ts";

describe("stream blocks", () => {
  it("start once, emit their text and end once", () => {
    const [state, events] = chain(
      noBlocks("openai"),
      (next) => openBlock(next, "0/0", { kind: "text" }),
      (next) => openBlock(next, "0/0", { kind: "text" }),
      (next) => addText(next, "0/0", "a"),
      (next) => addText(next, "0/0", ""),
      (next) => addText(next, "9", "nobody's"),
      (next) => closeBlock(next, "0/0"),
      (next) => closeBlock(next, "0/0"),
    );
    expect(events).toEqual([
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "a" },
      { type: "text-end", index: 0 },
    ]);
    expect(state).toMatchObject({ started: 1, calls: false });
    expect(state.startedItems).toEqual(new Set(["0"]));
  });

  it("include the namespace of the called tool", () => {
    const item = { type: "function_call", call_id: "1", name: "find", namespace: "notes" };
    const [, called] = openBlock(noBlocks("openai"), "0", { kind: "tool-call", item });
    expect(called).toEqual([{ type: "tool-call-start", index: 0, id: "1", name: "notes/find" }]);
  });

  it("have a kind", () => {
    const [, thought] = chain(
      noBlocks("xai"),
      (next) => openBlock(next, "0", { kind: "thinking", item: { id: "rs_1" } }),
      (next) => addPiece(next, "0", { text: "hm", piece: 1 }),
      (next) => closeBlock(next, "0", { signature: "e" }),
    );
    expect(thought).toEqual([
      { type: "thinking-start", index: 0, id: "rs_1", vendor: "xai" },
      { type: "thinking-delta", index: 0, text: "hm" },
      { type: "thinking-end", index: 0, signature: "e" },
    ]);
    const [state, called] = openBlock(noBlocks("openai"), "0", {
      kind: "tool-call",
      item: { type: "custom_tool_call", call_id: "1", name: "c" },
    });
    expect(called).toEqual([{ type: "tool-call-start", index: 0, id: "1", name: "c", freeText: true }]);
    expect(state.calls).toBe(true);
  });

  it("remember the latest part and return the same state if nothing changed", () => {
    const [opened] = openBlock(noBlocks("openai"), "0", { kind: "thinking" });
    const [first] = addPiece(opened, "0", { text: "a", piece: 0 });
    expect(addPiece(first, "0", { text: "b", piece: 0 })[0]).toBe(first);
    expect(addPiece(first, "0", { text: "b", piece: 1 })[0].open.get("0")?.piece).toBe(1);
  });

  it("are identified by item and part", () => {
    expect([
      itemKey({ output_index: 3 }),
      itemKey({}),
      partKey({ output_index: 3, content_index: 1 }),
      partKey({}),
    ]).toEqual(["3", "0", "3/1", "0/0"]);
  });
});
