import { makeAgentLoop, makeAssistant, makeConversation, makeImage, makeUser } from "@longhaul/conversation/testing";
import { completePrices, findModel, loadCatalog } from "@longhaul/models/advanced";
import { describe, expect, it } from "vitest";
import { type CondenseSettings, condense, condenseIfNeeded, estimate } from "./condense.ts";
import type { Ask } from "./edits/edit.ts";
import { makeCounter } from "./testing/context.ts";

const counter = makeCounter();
const loop = makeAgentLoop(40, 2_000);
const tokens = counter.countConversation(loop);
const options: CondenseSettings = { counter, budget: { windowTokens: Math.ceil(tokens * 0.8), reservedTokens: 1_000 } };
const prices = completePrices({ input: 3, output: 15 }, "anthropic")!;

async function summarize(ask: Ask) {
  return { kind: "text", text: `They read ${ask.messages.length} messages of files.`, costUsd: 0.01 } as const;
}

describe("condense", () => {
  it("uses native with a summarizer, and calls it once", async () => {
    const asks: Ask[] = [];
    const result = await condense(loop, {
      ...options,
      summarize: (ask) => {
        asks.push(ask);
        return summarize(ask);
      },
    });
    expect(result.report).toMatchObject({ strategy: "native", costUsd: 0.01, fallbacks: [] });
    expect([asks.length, result.fits]).toEqual([1, true]);
    expect(JSON.stringify(result.conversation.messages)).toContain("They read");
  });

  it("uses middle-out without a summarizer", async () => {
    const { report, fits } = await condense(loop, options);
    expect([report.strategy, fits]).toEqual(["middle-out", true]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("429")), "the summarizer failed: 429"],
    ["returns a blank text", async () => " \n", "the summary is empty"],
  ])("writes the summary without a model if the summarizer %s, and says so", async (_, failing, why) => {
    const { report, fits, conversation } = await condense(loop, {
      ...options,
      strategy: "sandwich",
      summarize: failing,
    });
    expect([fits, report.strategy, report.fallbacks, report.costUsd]).toEqual([true, "sandwich", [], 0]);
    expect(report.warnings).toEqual([`Summarize the middle: a summary was written without a model, because ${why}`]);
    expect(JSON.stringify(conversation.messages)).toContain("Earlier conversation summary: ");
  });

  it("measures its time with the system's clock, and takes prices and window from the model", async () => {
    const { model } = findModel(loadCatalog(), "gpt-4.1");
    const { report } = await condense(loop, { counter, model: { ...model, window: Math.ceil(tokens * 0.8) } });
    expect(report.milliseconds).toBeGreaterThanOrEqual(0);
    expect(report.savedPerCallUsd).toBeGreaterThan(0);
    await expect(condense(loop, { counter })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("has no savings without prices", async () => {
    const { report } = await condense(loop, options);
    expect(Object.keys(report)).not.toContain("savedPerCallUsd");
  });

  it("names the function for messages of another format", async () => {
    const list: unknown[] = [[{ role: "user", content: "Hi." }], { messages: [{ role: "user", content: "Hi." }] }];
    for (const given of list) {
      await expect(condense(Object(given), options)).rejects.toThrow('use condenseMessages from "@longhaul/adapters"');
    }
  });

  it("accepts a custom strategy or the id of a built-in one", async () => {
    const { report } = await condense(loop, { ...options, strategy: "sliding-window", config: { keepLast: 3 } });
    expect(report.strategy).toBe("sliding-window");
    await expect(condense(loop, { ...options, strategy: JSON.parse('"magic"') })).rejects.toMatchObject({
      code: "settings.invalid",
    });
    await expect(
      condense(loop, { ...options, strategy: "sliding-window", config: { keepLast: -1 } }),
    ).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringContaining("keepLast"),
    });
  });
});

describe("condenseIfNeeded", () => {
  it("checks the configuration before the conversation has grown", async () => {
    const small = makeConversation([makeUser("hello"), makeAssistant("hi")]);
    const wrong = { ...options, strategy: "sliding-window", config: { keepLast: -1 } } as const;
    await expect(condenseIfNeeded(small, wrong)).rejects.toMatchObject({ code: "settings.invalid" });
  });

  it("drops images that the upstream would reject, even below the trigger", async () => {
    const pictures = makeConversation([makeUser([makeImage(), "Then?"]), makeAssistant("So."), makeUser("Go on.")]);
    const options = { counter, budget: { windowTokens: 1e6, reservedTokens: 0 }, media: { maxImages: 0 } };
    const { conversation, fits, report } = await condenseIfNeeded(pictures, options);
    expect([fits, report.passes.map(({ id }) => id)]).toEqual([true, ["fit-media"]]);
    expect(conversation.messages.slice(1)).toEqual(pictures.messages.slice(1));
    const whole = await condenseIfNeeded(pictures, { ...options, strategy: "full-history" });
    expect(whole.conversation).toBe(pictures);
    expect(whole).toMatchObject({ fits: false, misfits: [{ what: "images", size: 1, limit: 0 }] });
  });

  it("rejects a budget that is not in numbers", async () => {
    const budget = { windowTokens: "100", reservedTokens: 5 };
    const given = Reflect.apply(condense, undefined, [loop, { ...options, budget }]);
    await expect(given).rejects.toThrow("condense: budget: windowTokens must be a number of at least 0, not a string");
  });

  it("waits for the budget with a strategy that calls no model", async () => {
    const budget = { windowTokens: Math.ceil(tokens / 0.95), reservedTokens: 100 };
    const waiting = await condenseIfNeeded(loop, { ...options, budget, strategy: "smart", summarize });
    expect(waiting.report.passes).toEqual([]);
    const early = await condenseIfNeeded(loop, { ...options, budget, strategy: "native", summarize });
    expect(early.report.tokensAfter).toBeLessThan(tokens);
  });

  it("returns a conversation under its trigger unchanged", async () => {
    const small = makeConversation([makeUser("hello"), makeAssistant("hi")]);
    const result = await condenseIfNeeded(small, options);
    expect(result.conversation).toBe(small);
    expect(result.report.passes).toEqual([]);
  });

  it("condenses a conversation at its trigger, using the strategy's threshold", async () => {
    const budget = { windowTokens: Math.ceil(tokens / 0.75), reservedTokens: 100 };
    expect((await condenseIfNeeded(loop, { ...options, budget, strategy: "native" })).report.passes).toEqual([]);
    const { report } = await condenseIfNeeded(loop, { ...options, budget, strategy: "sandwich", summarize });
    expect(report.tokensAfter).toBeLessThan(tokens / 2);
  });
});

describe("estimate", () => {
  it("estimates result and cost without calling a model", () => {
    const { tokensBefore, tokensAfter, costUsd, asks } = estimate(loop, { ...options, strategy: "native", prices });
    expect([tokensBefore, asks]).toEqual([tokens, 1]);
    expect(tokensAfter).toBeLessThan(tokens / 2);
    expect(costUsd).toBeGreaterThan((tokens * 0.8 * 3) / 1_000_000);
  });

  it("costs nothing without a model call, and has no cost without a price", () => {
    expect(estimate(loop, { ...options, strategy: "truncation", prices })).toMatchObject({ costUsd: 0, asks: 0 });
    expect(estimate(loop, { ...options, strategy: "native" }).costUsd).toBeUndefined();
  });
});
