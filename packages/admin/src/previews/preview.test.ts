import { limitsWithHeadroom, type PlanOptions } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { COUNTERS, makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import { makePreview, measure, previewAnswer, previewLimits } from "./preview.ts";
import type { Hint, Terms } from "./protocol.ts";

const { text } = findExample("bug-hunt");
const asking = (plan: Partial<PlanOptions> = {}, terms: Partial<Terms> = {}) => ({
  counters: COUNTERS,
  termsFor: async () => makeTerms(plan, terms),
});
const page = { from: 0, limit: 2_000 };

describe("measure", () => {
  it("requests the terms of the conversation's model", async () => {
    const hints: Hint[] = [];
    const termsFor = async (hint: Hint) => {
      hints.push(hint);
      return makeTerms();
    };
    await measure(text, { counters: COUNTERS, termsFor });
    const line = (model: string, id: string) =>
      JSON.stringify({
        type: "assistant",
        uuid: id,
        sessionId: "s",
        message: { role: "assistant", model, content: "Fine." },
      });
    await measure([line("claude-a", "1"), line("claude-b", "2"), line("claude-b", "3")].join("\n"), {
      counters: COUNTERS,
      termsFor,
    });
    await measure(JSON.stringify([{ role: "user", content: "Hello" }]), { counters: COUNTERS, termsFor });
    expect(hints.map(({ format, model }) => [format, model])).toEqual([
      ["anthropic-messages", "claude-sonnet-4-5"],
      ["claude-code", "claude-b"],
      [expect.any(String), undefined],
    ]);
  });
});

describe("makePreview", () => {
  it("leaves as much room for later turns as the gateway does, whatever a strategy keeps", async () => {
    for (let preserveTop = 1; preserveTop <= 40; preserveTop += 3) {
      const sandwich = asking({ strategy: "sandwich", configs: { sandwich: { preserveTop } } });
      const { done, limits } = await makePreview(text, sandwich);
      expect(done.report.tokensAfter).toBeLessThanOrEqual(limitsWithHeadroom(limits).budgetTokens);
    }
  });

  it("has rows whose tokens match the report's, except message overhead", async () => {
    const shown = previewAnswer(await makePreview(text, asking({ strategy: "smart" })), page);
    const sum = (side: "tokensBefore" | "tokensAfter") => shown.rows.reduce((all, row) => all + row[side], 0);
    expect(sum("tokensBefore")).toBeGreaterThan(shown.tokensBefore * 0.9);
    expect(sum("tokensBefore")).toBeLessThanOrEqual(shown.tokensBefore);
    expect(sum("tokensAfter")).toBeLessThanOrEqual(shown.tokensAfter);
    expect(shown.anatomy.tokens).toBe(shown.tokensBefore);
    expect(shown.anatomyAfter.tokens).toBe(shown.tokensAfter);
  });

  it("uses the summaries of a model and reports their cost", async () => {
    const answer = async () => ({ kind: "text", text: "They found it.", costUsd: 0.5 }) as const;
    const previewed = await makePreview(text, { ...asking({ strategy: "native" }), answer });
    const shown = previewAnswer(previewed, page);
    expect(shown.summaries).toMatchObject({ asks: 1, writer: "own", spentUsd: 0.5 });
    expect(shown.summaries.request).toContain("Conversation:\n---\n[");
    expect(shown.rows.find(({ kind }) => kind === "summary")?.after).toContain("They found it.");
  });

  it("warns about misfits and unreadable lines", async () => {
    const broken = asking({ strategy: "full-history" }, { warnings: ["an assumption"], size: { budgetTokens: 100 } });
    const shown = previewAnswer(await makePreview(text, broken), page);
    expect(shown).toMatchObject({
      fits: false,
      warnings: ["an assumption", expect.stringContaining("over the limit of 100")],
    });
  });

  it("returns null for unknown prices", async () => {
    const terms = makeTerms({ strategy: "native", model: {} }, { writers: [{ model: "own", windowTokens: 9 }] });
    const shown = previewAnswer(await makePreview(text, { counters: COUNTERS, termsFor: async () => terms }), page);
    expect(shown).toMatchObject({ savedPerCallUsd: null, summaries: { asks: 1, estimatedUsd: null } });
  });
});

const terms = makeTerms();

it("uses a given budget for all limits", () => {
  const limits = { windowTokens: 500, budgetTokens: 500, targetTokens: 500, triggerTokens: 500 };
  expect(previewLimits({ ...terms, size: { budgetTokens: 500, windowTokens: 900 } }, 100)).toMatchObject({
    ...limits,
    isAssumed: false,
  });
});

it("reserves output in a given window", () => {
  expect(previewLimits({ ...terms, size: { windowTokens: 10_000 } }, 100)).toMatchObject({
    windowTokens: 10_000,
    budgetTokens: 10_000 - 2_000 - 100,
    isAssumed: false,
  });
});

it("uses the model's window for a conversation over its trigger, else assumes a smaller one", () => {
  expect(previewLimits(terms, 190_000)).toMatchObject({ windowTokens: 200_000, isAssumed: false });
  expect(previewLimits(terms, 1_000)).toMatchObject({ windowTokens: 750, isAssumed: true });
  expect(previewLimits(terms, 0)).toMatchObject({ windowTokens: 1, isAssumed: true });
  expect(previewLimits(makeTerms({ thresholdPercent: 50 }), 110_000)).toMatchObject({
    triggerTokens: 100_000,
    isAssumed: false,
  });
});
