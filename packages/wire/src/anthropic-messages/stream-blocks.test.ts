import { describe, expect, it } from "vitest";
import { endBlock, openBlock, startBlock, textDelta, thinkingDelta } from "./stream-blocks.ts";

describe("stream blocks", () => {
  it("start and end according to their kind", () => {
    const events = ["text", "thinking", "tool_use"].map((type) => {
      const block = openBlock(3, { type, id: "a", name: "f", input: {} });
      return [...startBlock(block, "anthropic"), ...endBlock(block, "anthropic")].map((event) => event.type);
    });
    expect(events).toEqual([
      ["text-start", "text-end"],
      ["thinking-start", "thinking-end"],
      ["tool-call-start", "tool-call-delta", "tool-call-end"],
    ]);
    const whole = openBlock(3, { type: "redacted_thinking", data: "d" });
    expect(startBlock(whole, "anthropic")).toEqual([]);
    expect(endBlock(whole, "anthropic")).toMatchObject([{ type: "block", index: 3, block: { data: "d" } }]);
  });

  it("assign a tagged signature to its vendor and any other to the given vendor", () => {
    const thinking = (signature: string) => endBlock({ ...openBlock(0, { type: "thinking" }), signature }, "anthropic");
    expect(thinking("AAAA")).toEqual([{ type: "thinking-end", index: 0, signature: "AAAA" }]);
    expect(thinking("longhaul/google/AAAA")).toEqual([
      { type: "thinking-end", index: 0, signature: "AAAA", vendor: "google" },
    ]);
    expect(thinking("")).toEqual([{ type: "thinking-end", index: 0 }]);
  });

  it("emit nothing for empty text", () => {
    expect([textDelta(0, ""), textDelta(0, null), thinkingDelta(0, 7)]).toEqual([[], [], []]);
  });
});
