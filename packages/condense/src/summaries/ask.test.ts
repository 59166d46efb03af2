import { type Conversation, NO_USAGE } from "@longhaul/conversation/advanced";
import {
  makeAgentLoop,
  makeAssistant,
  makeCompaction,
  makeConversation,
  makeDocument,
  makeImage,
  makeOpaque,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { costOf, type Prices } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { condense, estimate } from "../condense.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { makeCounter } from "../testing/context.ts";
import { askFor, expectedSummaryTokens, renderAsk } from "./ask.ts";
import { INJECTION_GUARD, UPDATE_RULE } from "./prompts.ts";

const counter = makeCounter();
const messages = [makeUser("word ".repeat(1_600))];

describe("askFor", () => {
  it("combines the instructions, the injection guard and the length", () => {
    const ask = askFor({ messages, prompt: " Sum up. ", maxTokens: 4_000, profile: "cheap" }, counter);
    expect(ask).toEqual({
      kind: "ask",
      messages,
      instructions: `Sum up.\n\n${INJECTION_GUARD}\nWrite about 321 words.`,
      maxTokens: 4_000,
      expectedTokens: 458,
      profile: "cheap",
    });
  });

  it("lets a prompt place the length and the messages itself, after the guard", () => {
    const prompt = "In {words} words:\n{formatted_messages}That was it.";
    const text = renderAsk(askFor({ messages, prompt, maxTokens: 100 }, counter));
    expect(text.startsWith(`${INJECTION_GUARD}\n\nIn 70 words:\n---\n[user]\nword word`)).toBe(true);
    expect(text.endsWith("---\nThat was it.")).toBe(true);
  });

  it("expects a longer summary when there is an earlier one to update", () => {
    const [without, withPrevious] = [{}, { previous: "word ".repeat(1_600) }].map((previous) =>
      askFor({ messages, prompt: "Sum up.", maxTokens: 4_000, ...previous }, counter),
    );
    expect(withPrevious?.expectedTokens).toBeGreaterThan(without?.expectedTokens ?? 0);
    expect([without, withPrevious].map((ask) => ask?.instructions.includes(UPDATE_RULE))).toEqual([false, true]);
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

describe("the estimated cost", () => {
  const prices: Prices = {
    input: 3,
    output: 15,
    cacheRead: 0.3,
    cacheWrite: 3.75,
    cacheWriteHour: 6,
    tiers: [],
  };

  it("is within a fifth of the real cost in nine of ten condensations, whatever the summaries' length", async () => {
    const errors: number[] = [];
    for (const [index, conversation] of sessions(120).entries()) {
      const strategy = (["sandwich", "native", "tree-summary"] as const)[index % 3] ?? "native";
      const counted = counter.countConversation(conversation);
      const options = {
        counter,
        strategy,
        fallbacks: [],
        prices,
        budget: { windowTokens: counted, reservedTokens: 0 },
      };
      const { costUsd: foretold = 0 } = estimate(conversation, options);
      const { report } = await condense(conversation, { ...options, summarize: async (ask) => written(ask, prices) });
      expect(report.costUsd).toBeGreaterThan(0);
      errors.push(Math.abs(foretold / (report.costUsd ?? 0) - 1));
    }
    const within = errors.filter((error) => error <= 0.2).length / errors.length;
    expect(within).toBeGreaterThanOrEqual(0.9);
  });

  /** Agent loops and chats of 2K to 150K tokens. */
  function sessions(count: number): Conversation[] {
    return Array.from({ length: count }, (_, index) => {
      const steps = 10 + ((index * 37) % 150);
      if (index % 2 === 0) return makeAgentLoop(steps, 200 + ((index * 911) % 4_000));
      const said = "words that were said ".repeat(20 + ((index * 13) % 60));
      const talk = Array.from({ length: steps }, (_, turn) => [
        makeUser(`${turn} ${said}`),
        makeAssistant(said),
      ]).flat();
      return makeConversation([...talk, makeUser("And now?")]);
    });
  }

  let spread = 0;

  /** A model's answer to a requested length: between half and one and a half of it, usually close. */
  function written(ask: Ask, of: Prices): Answer {
    spread = (spread + 0.618034) % 1;
    const share = 0.5 + spread;
    const outputTokens = Math.min(ask.maxTokens, Math.max(1, Math.round(ask.expectedTokens * share)));
    const usage = { ...NO_USAGE, inputTokens: counter.countText(renderAsk(ask)), outputTokens };
    return { kind: "text", text: "word".repeat(outputTokens), usage, costUsd: costOf(usage, of) };
  }
});

describe("renderAsk", () => {
  it("renders tools as text and omits thinking", () => {
    const messages = [
      makeUser(["Look", makeImage(), makeDocument("x", { title: "Spec" }), makeOpaque("search_result")]),
      makeAssistant([makeThinking("hidden"), makeToolCall("a", { input: { path: "x.ts" } })]),
      makeUser(makeToolResult("a", "not found", { isError: true })),
      makeAssistant(makeCompaction("so far")),
    ];
    expect(
      renderAsk({
        kind: "ask",
        messages,
        instructions: "Sum up.",
        previous: "before",
        maxTokens: 1,
        expectedTokens: 1,
      }),
    ).toBe(
      `Sum up.

The summary so far, to be updated:
---
before
---

Conversation:
---
[user]
Look
[Referenced image in conversation]
[Document: Spec]
[search_result]

[assistant]
[Tool call: read_file]
{"path":"x.ts"}

[user]
[Tool result (error)]
not found

[assistant]
so far
---
`,
    );
  });

  it("puts the messages where the prompt's placeholder is", () => {
    const ask = { kind: "ask", messages: [makeUser("$& hello")], maxTokens: 1, expectedTokens: 1 } as const;
    expect(renderAsk({ ...ask, instructions: "Before.\n{formatted_messages}After." })).toBe(
      "Before.\n---\n[user]\n$& hello\n---\nAfter.",
    );
  });
});
