import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob, isGlob, mergeFacts, type Subject } from "./rule.ts";

const opus: Subject = { platform: "bedrock", id: "us.anthropic.claude-opus-4-6-v1", name: "claude-opus-4-6" };

describe("compileGlob", () => {
  it.each([
    ["claude-opus-4-6", true],
    ["CLAUDE-OPUS-4-6", true],
    ["us.anthropic.claude-opus-4-6-v1", true],
    ["bedrock/us.*", true],
    ["bedrock/*claude*", true],
    ["claude-{sonnet,opus}-4-6", true],
    ["claude-{opus-*,sonnet}", true],
    ["{,us.}anthropic.claude-opus-4-6-v1", true],
    ["*", true],
    ["claude-opus-4", false],
    ["claude-opus-4.6", false],
    ["anthropic/*", false],
    ["claude-{sonnet,haiku}-4-6", false],
    ["", false],
  ])("matches %s against its subject as %s", (glob, fits) => {
    expect(compileGlob(glob)(opus)).toBe(fits);
  });

  it("treats every other character literally", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (id) => {
        fc.pre(!isGlob(id));
        expect(compileGlob(id)({ platform: "other", id, name: id })).toBe(true);
        expect(compileGlob(id)({ platform: "other", id: `${id}x`, name: `${id}x` })).toBe(false);
      }),
    );
  });
});

describe("joinFacts", () => {
  it("lets the upper facts win, merges objects and replaces lists", () => {
    const lower = {
      window: 1,
      rejects: ["prefill"],
      prices: { input: 1, output: 2 },
      images: { supported: true },
    } as const;
    const upper = { rejects: ["top_k"], prices: { input: 3 }, images: { maxCount: 5 }, betas: { mcp: "x" } } as const;
    expect(mergeFacts(lower, upper)).toEqual({
      window: 1,
      rejects: ["top_k"],
      prices: { input: 3, output: 2 },
      images: { supported: true, maxCount: 5 },
      betas: { mcp: "x" },
    });
  });

  it("keeps facts if nothing is merged", () => {
    const facts = { window: 5, compaction: { threshold: true, onDemand: false }, reasoning: { levels: [] } };
    expect(mergeFacts(facts, {})).toEqual(facts);
    expect(mergeFacts({}, facts)).toEqual(facts);
  });
});
