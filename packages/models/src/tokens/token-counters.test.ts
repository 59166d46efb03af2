import { fingerprint, pureHash } from "@longhaul/conversation";
import { makeAgentLoop, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { makeRoughCounter, makeTokenCounters } from "./token-counters.ts";
import { TOKENIZER_FAMILIES } from "./tokenizer-families.ts";

const counters = makeTokenCounters({ hash: pureHash });

it("counts OpenAI's text exactly", async () => {
  const text = "请修复这个测试, aren't they?";
  expect((await counters.counterFor("o200k")).countText(text)).toBe(9);
  expect((await counters.counterFor("cl100k")).countText(text)).toBe(11);
});

it("counts other families by their encoding times their ratio", async () => {
  const text = "The nearest encoding is taken. ".repeat(20);
  const exact = (await counters.counterFor("cl100k")).countText(text);
  expect((await counters.counterFor("claude")).countText(text)).toBe(Math.round(exact * 1.2));
  expect((await counters.counterFor("claude", 1.4)).countText(text)).toBe(Math.round(exact * 1.4));
});

it("has a counter for every tokenizer of the catalog", async () => {
  for (const tokenizer of ["o200k", "cl100k", "claude", "claude-5", "gemini", "other"] as const) {
    expect((await counters.counterFor(tokenizer)).countConversation(makeAgentLoop(3))).toBeGreaterThan(100);
  }
  expect(Object.keys(TOKENIZER_FAMILIES)).toHaveLength(6);
});

it("shares what it remembers among the counters of a family, and not with other families", async () => {
  const message = makeUser("A picture says more.");
  const first = await counters.counterFor("claude");
  first.countMessage(message);
  const key = fingerprint(message, pureHash);
  expect((await counters.counterFor("claude", 2)).countKnown(key)).toBeGreaterThan(first.countMessage(message));
  expect((await counters.counterFor("gemini")).countKnown(key)).toBeUndefined();
});

it("counts four characters for a token where nothing is known", () => {
  expect(makeRoughCounter().countText("x".repeat(40))).toBe(10);
});

it("counts four characters for a token where an encoding cannot be loaded", async () => {
  const without = makeTokenCounters({ loadEncoding: () => Promise.reject(new Error("not installed")) });
  expect((await without.counterFor("o200k")).countText("x".repeat(40))).toBe(10);
});
