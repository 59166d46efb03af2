import type { Block, Message } from "@longhaul/conversation";
import { anyConversation } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeUpOf } from "./make-up.ts";

function made(...blocks: Block[]): Message {
  return { role: "assistant", blocks };
}

const call: Block = { type: "tool-call", id: "1", name: "read", input: { path: "a" } };

describe("makeUpOf", () => {
  it("gives each kind its share by characters", () => {
    const message = made({ type: "thinking", text: "x".repeat(30) }, { type: "text", text: "x".repeat(54) }, call);
    expect(makeUpOf(message)).toEqual([
      { kind: "thinking", share: 0.3 },
      { kind: "text", share: 0.54 },
      { kind: "calls", share: 0.16 },
    ]);
  });

  it("says of a message of one kind that it is all of that", () => {
    expect(makeUpOf(made(call, call))).toEqual([{ kind: "calls", share: 1 }]);
    expect(makeUpOf(made())).toEqual([{ kind: "text", share: 1 }]);
    expect(makeUpOf({ role: "system", blocks: [{ type: "text", text: "be kind" }] })).toEqual([
      { kind: "system", share: 1 },
    ]);
  });

  it("counts a picture by what it says, not by its bytes", () => {
    const image = (data: string): Block => ({
      type: "image",
      source: { kind: "base64", mediaType: "image/png", data },
    });
    const text: Block = { type: "text", text: "x".repeat(5_000) };
    expect(makeUpOf(made(image("x".repeat(1_000_000)), text))).toEqual([
      { kind: "media", share: 0.5 },
      { kind: "text", share: 0.5 },
    ]);
  });

  it("shares every message out whole", () => {
    fc.assert(
      fc.property(anyConversation(), ({ messages }) => {
        for (const message of messages) {
          const shares = makeUpOf(message).map(({ share }) => share);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
