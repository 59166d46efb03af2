import { anyRedactedThinking, anyThinking } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openThinking, sealThinking } from "./sealed.ts";

describe("sealThinking and openThinking", () => {
  it("bring thinking back as it was", () => {
    fc.assert(
      fc.property(fc.oneof(anyThinking(), anyRedactedThinking()), (block) => {
        expect(openThinking(sealThinking({ ...block, native: { wire: "x", value: 1 } }))).toEqual(block);
      }),
    );
    const item = { type: "thinking", text: "", signature: "gAAAA-_", id: "rs_1", vendor: "openai" } as const;
    expect(openThinking(sealThinking(item))).toEqual(item);
  });

  it("survive a client that decodes and encodes base64 by itself", () => {
    fc.assert(
      fc.property(anyThinking(), (block) => {
        const sealed = sealThinking(block);
        const bytes = Buffer.from(sealed, "base64");
        expect(bytes.toString("base64")).toBe(sealed);
        expect(openThinking(bytes.toString("base64url"))).toEqual(block);
      }),
    );
  });

  it("leave signatures alone that hold nothing of ours", () => {
    expect(["c2ln", "longhaul", "longhaul§", "longhaulWzFd", undefined].map(openThinking)).toEqual(
      Array.from({ length: 5 }),
    );
  });
});
