import type { JsonObject } from "@longhaul/conversation";
import { anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockDelta, textDelta, wholeBlock } from "./stream-frames.ts";

describe("textDelta", () => {
  it("writes the very bytes that stringifying an object would", () => {
    fc.assert(
      fc.property(fc.nat(99), fc.oneof(anyText(), fc.string()), (index, text) => {
        expect(textDelta(index, text)).toEqual(blockDelta(index, { type: "text_delta", text }));
      }),
    );
  });
});

describe("wholeBlock", () => {
  it("starts and stops a block, with a thinking block's signature between", () => {
    expect(wholeBlock(3, { type: "redacted_thinking", data: "d" }).map(({ event }) => event)).toEqual([
      "content_block_start",
      "content_block_stop",
    ]);
    expect(wholeBlock(3, { type: "thinking", thinking: "", signature: "s" }).map(({ event }) => event)).toEqual([
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
    ]);
  });

  it("gives a compaction's text as one delta, and a signed one whole, as the API does", () => {
    const data = (block: JsonObject) => wholeBlock(0, block).map((event): unknown => JSON.parse(event.data));
    expect(data({ type: "compaction", content: "So far.", encrypted_content: "e" })).toEqual([
      { type: "content_block_start", index: 0, content_block: { type: "compaction", content: null } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "compaction_delta", content: "So far.", encrypted_content: "e" },
      },
      { type: "content_block_stop", index: 0 },
    ]);
    const signed = { type: "compaction", content: "So far.", signature: "s" };
    expect(data(signed)).toEqual([
      { type: "content_block_start", index: 0, content_block: signed },
      { type: "content_block_stop", index: 0 },
    ]);
  });
});
