import { makeRedactedThinking, makeThinking } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { legalName } from "../adapt/pairs.ts";
import { makeContext } from "../testing/make-context.ts";
import { RULES } from "./rules.ts";

it("accepts only Google's thinking", () => {
  const context = makeContext({ rules: RULES });
  const own = { type: "thinking", text: "Hm.", vendor: "google" } as const;
  const blocks = [own, makeThinking(), makeRedactedThinking(), { type: "thinking", text: "Hm." } as const];
  expect(blocks.map((block) => RULES.acceptsThinking(block, context))).toEqual([true, false, false, false]);
});

it("accepts the same tool names as Google", () => {
  const names = ["mcp__files__read", "list.files:all", "_x-1", "1st", "a b", "x".repeat(129)];
  const legal = names.map((name) => legalName(name, RULES.toolNames));
  expect(legal.slice(0, 3)).toEqual(names.slice(0, 3));
  expect(legal.slice(3)).toEqual([
    expect.stringMatching(/^_st_[0-9a-f]{8}$/),
    expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
    expect.stringMatching(/^x{119}_[0-9a-f]{8}$/),
  ]);
});
