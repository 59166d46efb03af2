import { describe, expect, it } from "vitest";
import { estimateBodySchema, previewBodySchema, previewSchema } from "./previews.ts";

const conversation = { example: "bug-hunt" };

describe("previewBodySchema", () => {
  it("defaults to the first rows without model calls", () => {
    expect(previewBodySchema.parse({ conversation })).toEqual({ conversation, asksModels: false, from: 0, limit: 500 });
  });

  it.each([
    {},
    { conversation: {} },
    { conversation: { text: "" } },
    { conversation: { example: "a", text: "b" } },
    { conversation, limit: 2_001 },
    { conversation, from: -1 },
    { conversation, windowTokens: 1.5 },
    { conversation, nonsense: 1 },
  ])("rejects %j", (body) => {
    expect(previewBodySchema.safeParse(body).success).toBe(false);
  });
});

it("accepts the fields of a preview in an estimate, except a strategy", () => {
  expect(estimateBodySchema.safeParse({ conversation, model: "m", profile: "p", windowTokens: 9 }).success).toBe(true);
  expect(estimateBodySchema.safeParse({ conversation, strategy: "native" }).success).toBe(false);
});

it("requires every part of a conversation's anatomy", () => {
  const { parts } = previewSchema.shape.anatomy.shape;
  expect(parts.safeParse({ system: 1 }).success).toBe(false);
  const whole = { system: 1, tools: 1, user: 1, assistant: 1, thinking: 1, calls: 1, results: 1, media: 1, other: 1 };
  expect(parts.parse(whole)).toEqual(whole);
});
