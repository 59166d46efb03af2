import { makeRedactedThinking, makeThinking } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeDetail, encodeDetail, formatOf, joinDetails, vendorOfDetail } from "./reasoning-details.ts";

describe("reasoning details", () => {
  it("are written back as received", () => {
    const values = [
      { type: "reasoning.text", text: "a", signature: "s", id: "r", format: "anthropic-claude-v1", index: 4 },
      { type: "reasoning.summary", summary: "b", format: "brand-new-v9" },
      { type: "reasoning.encrypted", data: "d" },
    ];
    const blocks = values.flatMap((value) => decodeDetail(value));
    expect(
      blocks.map((block, index) =>
        block.type === "thinking" || block.type === "redacted-thinking" ? encodeDetail(block, index) : block,
      ),
    ).toEqual(values);
  });

  it("are merged from the pieces of a stream", () => {
    const first = { type: "reasoning.text", text: "h", format: "f", index: 0 };
    const words = joinDetails(joinDetails(undefined, first), { ...first, text: "m", format: null });
    expect(joinDetails(words, { type: "reasoning.text", signature: "s", index: 0 })).toEqual({
      ...first,
      text: "hm",
      signature: "s",
    });
  });

  it("name their vendor by their format", () => {
    expect(vendorOfDetail({ format: "google-gemini-v1" }, "openrouter")).toBe("google");
    expect(vendorOfDetail({ format: "brand-new-v9" }, "openrouter")).toBe("brand-new-v9");
    expect(vendorOfDetail({}, "openrouter")).toBe("openrouter");
    expect([formatOf("anthropic"), formatOf("openrouter"), formatOf(undefined)]).toEqual([
      "anthropic-claude-v1",
      "openrouter",
      undefined,
    ]);
  });

  it("are created for thinking of other formats", () => {
    expect(encodeDetail(makeThinking("hm", "s"), 0)).toEqual({
      type: "reasoning.text",
      text: "hm",
      signature: "s",
      format: "anthropic-claude-v1",
      index: 0,
    });
    expect(encodeDetail(makeRedactedThinking("d"), 1)).toEqual({
      type: "reasoning.encrypted",
      data: "d",
      format: "anthropic-claude-v1",
      index: 1,
    });
  });
});
