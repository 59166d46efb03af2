import type { Block, Message } from "@longhaul/conversation";
import {
  anyConversation,
  makeAssistant,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { makeRoughCounter } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANATOMY_PARTS, anatomyOf, compositionOf } from "./anatomy.ts";

const counter = makeRoughCounter();
const four = (tokens: number) => "four".repeat(tokens);

describe("anatomyOf", () => {
  it("counts tokens by part and by tool", () => {
    const messages = [
      makeUser(four(10)),
      makeAssistant([makeThinking(four(20)), four(30), makeToolCall("a", { name: "read", input: { path: four(5) } })]),
      makeUser(makeToolResult("a", four(400))),
    ];
    const { tokens, parts, byTool } = anatomyOf({ system: [], tools: [], messages }, counter);
    expect(parts).toMatchObject({ user: 10, assistant: 30, calls: 5, results: 400, media: 0 });
    expect(parts.thinking).toBeGreaterThanOrEqual(20);
    expect(byTool).toEqual([{ name: "read", uses: 1, callTokens: 5, resultTokens: 400 }]);
    expect(ANATOMY_PARTS.reduce((sum, part) => sum + parts[part], 0)).toBe(tokens);
  });

  it("recognizes XML tools in text", () => {
    const messages = [
      makeUser("<task>\nRead a.\n</task>"),
      makeAssistant("I read it.\n\n<read_file>\n<path>a.ts</path>\n</read_file>"),
      makeUser(`[read_file for 'a.ts'] Result:\n${four(200)}`),
    ];
    const { parts, byTool } = anatomyOf({ system: [], tools: [], messages }, counter);
    expect(parts.results).toBeGreaterThanOrEqual(200);
    expect(byTool.map(({ name }) => name)).toEqual(["read_file"]);
  });

  it("accounts for every token of any conversation", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const { tokens, parts } = anatomyOf(conversation, counter);
        const sum = ANATOMY_PARTS.reduce((total, part) => total + parts[part], 0);
        expect(tokens).toBe(counter.countConversation(conversation));
        expect(sum).toBe(tokens);
      }),
    );
  });
});

function made(...blocks: Block[]): Message {
  return { role: "assistant", blocks };
}

const call: Block = { type: "tool-call", id: "1", name: "read", input: { path: "a" } };

describe("compositionOf", () => {
  it("returns the share of each kind by characters", () => {
    const message = made({ type: "thinking", text: "x".repeat(30) }, { type: "text", text: "x".repeat(54) }, call);
    expect(compositionOf(message)).toEqual([
      { kind: "thinking", share: 0.3 },
      { kind: "text", share: 0.54 },
      { kind: "calls", share: 0.16 },
    ]);
  });

  it("returns a single kind for a uniform message", () => {
    expect(compositionOf(made(call, call))).toEqual([{ kind: "calls", share: 1 }]);
    expect(compositionOf(made())).toEqual([{ kind: "text", share: 1 }]);
    expect(compositionOf({ role: "system", blocks: [{ type: "text", text: "be kind" }] })).toEqual([
      { kind: "system", share: 1 },
    ]);
  });

  it("counts an image by a fixed size, not by its bytes", () => {
    const image = (data: string): Block => ({
      type: "image",
      source: { kind: "base64", mediaType: "image/png", data },
    });
    const text: Block = { type: "text", text: "x".repeat(5_000) };
    expect(compositionOf(made(image("x".repeat(1_000_000)), text))).toEqual([
      { kind: "media", share: 0.5 },
      { kind: "text", share: 0.5 },
    ]);
  });

  it("returns shares that sum to 1 for every message", () => {
    fc.assert(
      fc.property(anyConversation(), ({ messages }) => {
        for (const message of messages) {
          const shares = compositionOf(message).map(({ share }) => share);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
