import type { Ask } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { configuredCost, costOfAsks, describeWriters, measureAsk, sizeOfAsks, writerFor } from "./asks.ts";

const million = 1_000_000;
const ROOMY = 2 * million;
const asked = { inputTokens: million, outputTokens: million, maxTokens: million, excerpt: "" };
const prices = makeTerms().plan.model!.prices!;
const cheap = { profile: "cheap", model: "small", windowTokens: ROOMY, prices: { ...prices, input: 1, output: 2 } };
const free = { profile: "free", model: "unknown", windowTokens: ROOMY };
const terms = makeTerms({}, { writers: [{ ...makeTerms().writers[0], windowTokens: ROOMY }, cheap, free] });

const ask: Ask = {
  kind: "ask",
  messages: [textMessage("user", "x".repeat(4_000))],
  instructions: "Be brief.",
  maxTokens: 90,
  expectedTokens: 50,
  profile: "cheap",
};

it("measures an ask as text", () => {
  const measured = measureAsk(ask, makeRoughCounter());
  expect(measured).toMatchObject({ outputTokens: 50, maxTokens: 90, profile: "cheap" });
  expect(measured.inputTokens).toBeGreaterThan(1_000);
});

it("shortens a long ask in the middle", () => {
  expect(measureAsk(ask, makeRoughCounter()).excerpt).toMatch(/^Be brief\.\n.*x{4000}\n---\n$/s);
  const long = { ...ask, messages: [textMessage("user", `${"x".repeat(20_000)}the end`)] };
  const { excerpt } = measureAsk(long, makeRoughCounter());
  expect(excerpt).toMatch(/^Be brief\..*\[… \d+ characters …\].*the end\n---\n$/s);
  expect(excerpt.length).toBeLessThan(8_100);
});

it("names each writer once", () => {
  expect(describeWriters([{ profile: "cheap" }, {}, { profile: "cheap" }], terms)).toBe("cheap (small), own");
  expect(describeWriters([], { ...terms, summarizer: "cheap" })).toBe("cheap (small)");
});

describe("costs", () => {
  it("are the price of input and output, or unknown without prices", () => {
    expect(costOfAsks([asked, asked], { prices, windowTokens: ROOMY })).toBe(36);
    expect(costOfAsks([asked], { windowTokens: ROOMY })).toBeNull();
    expect(costOfAsks([], { windowTokens: ROOMY })).toBe(0);
  });

  it("are corrected by earlier summaries of the writer", () => {
    const correction = { promptUsd: 2, outputUsd: 0.5 };
    expect(costOfAsks([asked], { prices, windowTokens: ROOMY, correction })).toBe(2 * 3 + 0.5 * 15);
  });

  it("count only the part of an ask that fits the writer's window", () => {
    expect(costOfAsks([asked], { prices, windowTokens: 1.5 * million })).toBe(0.5 * 3 + 15);
    expect(costOfAsks([asked], { prices, windowTokens: 9 })).toBe(15);
  });

  it("use the pass's profile, else the configured one, else the conversation's own model", () => {
    expect(configuredCost([asked, { ...asked, profile: "cheap" }], terms)).toBe(18 + 3);
    expect(configuredCost([asked], { ...terms, summarizer: "cheap" })).toBe(3);
    expect(configuredCost([asked, { ...asked, profile: "free" }], terms)).toBeNull();
    expect(writerFor(terms, "gone").model).toBe("own");
  });

  it("add up input and output tokens", () => {
    expect(sizeOfAsks([asked, asked])).toEqual({ inputTokens: 2 * million, outputTokens: 2 * million });
  });
});
