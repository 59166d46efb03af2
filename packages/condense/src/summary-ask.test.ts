import { makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderAsk } from "./ask-text.ts";
import { DATA_NOT_ORDERS } from "./prompts.ts";
import { askFor, expectedSummaryTokens } from "./summary-ask.ts";
import { makeCounter } from "./testing/counter.ts";

const counter = makeCounter();
const messages = [makeUser("word ".repeat(1_600))];

describe("askFor", () => {
  it("tells the summariser what to do, that the text is data, and how long to write", () => {
    const ask = askFor({ messages, prompt: " Sum up. ", maxTokens: 4_000, profile: "cheap" }, counter);
    expect(ask).toEqual({
      kind: "ask",
      messages,
      instructions: `Sum up.\n\n${DATA_NOT_ORDERS}\nWrite about 321 words.`,
      maxTokens: 4_000,
      expectedTokens: 458,
      profile: "cheap",
    });
  });

  it("lets a prompt place the length and the messages itself, with the guard before them", () => {
    const prompt = "In {words} words:\n{formatted_messages}That was it.";
    const text = renderAsk(askFor({ messages, prompt, maxTokens: 100 }, counter));
    expect(text.startsWith(`${DATA_NOT_ORDERS}\n\nIn 70 words:\n---\n[user]\nword word`)).toBe(true);
    expect(text.endsWith("---\nThat was it.")).toBe(true);
  });

  it("expects more where an earlier summary is to be carried on", () => {
    const [without, withPrevious] = [{}, { previous: "word ".repeat(1_600) }].map((previous) =>
      askFor({ messages, prompt: "Sum up.", maxTokens: 4_000, ...previous }, counter),
    );
    expect(withPrevious?.expectedTokens).toBeGreaterThan(without?.expectedTokens ?? 0);
  });
});

describe("expectedSummaryTokens", () => {
  it.each([
    [100, 50],
    [1_000, 353],
    [10_000, 900],
    [100_000, 2_630],
    [1_000_000, 4_000],
  ])("of %i tokens expects %i", (inputTokens, expected) => {
    expect(expectedSummaryTokens(inputTokens, 4_000)).toBe(expected);
  });

  it("never expects more than half of the input, more than the limit, or nothing", () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.integer({ min: 1, max: 8_000 }), (inputTokens, maxTokens) => {
        const expected = expectedSummaryTokens(inputTokens, maxTokens);
        expect(expected).toBeGreaterThanOrEqual(1);
        expect(expected).toBeLessThanOrEqual(Math.max(1, Math.min(maxTokens, Math.round(inputTokens / 2))));
      }),
    );
  });
});
