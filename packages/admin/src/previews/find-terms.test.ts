import { describe, expect, it } from "vitest";
import { resolve, snapshotOf } from "../testing/admin-server.ts";
import { type FindContext, findTerms, type PreviewOptions } from "./find-terms.ts";

const snapshot = snapshotOf({
  upstreams: { up: { kind: "anthropic", apiKey: "k" }, other: { kind: "openai", apiKey: "k" } },
  routes: [
    { match: "claude-*", upstream: "up", context: { strategy: "native", outputShare: 0.1 } },
    { match: "fast", upstream: "other", model: "gpt-4o-mini" },
  ],
  context: { strategies: { native: { prompt: "In short." } }, fallbacks: ["middle-out"], floorTokens: 5 },
  profiles: {
    cheap: { upstream: "other", model: "gpt-4o-mini", window: 5_000, prices: { input: 0.5, output: 1 } },
    plain: { context: { strategy: "sandwich", summarizer: "cheap" } },
  },
});
const correct: FindContext["correct"] = ({ upstream, model, form }, estimated) =>
  upstream === "other" && model === "gpt-4o-mini" && form === "text" ? { promptUsd: 2, outputUsd: 3 } : estimated;
const find = (options: PreviewOptions, model?: string) =>
  findTerms(
    options,
    { format: "anthropic-messages", ...(model !== undefined && { model }) },
    { snapshot, resolve, ratioOf: () => 1.5, correct },
  );

describe("findTerms", () => {
  it("uses the route of the conversation's model", () => {
    const { terms, destination } = find({}, "claude-opus-4-6");
    expect(terms).toMatchObject({
      model: "claude-opus-4-6",
      upstream: "up",
      ratio: 1.5,
      plan: { strategy: "native", fallbacks: ["middle-out"], outputShare: 0.1, floorTokens: 5 },
      size: {},
      warnings: [],
    });
    expect(terms.plan.configs).toMatchObject({ native: { prompt: "In short." } });
    expect(destination?.handle.connection.upstream.id).toBe("up");
  });

  it("uses the requested model, window, budget and strategy", () => {
    const choice = { strategy: "lossless", config: { references: "results" } };
    const { terms } = find({ model: "fast", windowTokens: 9, budgetTokens: 8, choice }, "claude-opus-4-6");
    expect(terms).toMatchObject({ model: "fast", upstream: "other", tokenizer: "o200k" });
    expect(terms).toMatchObject({
      size: { windowTokens: 9, budgetTokens: 8 },
      plan: { strategy: "lossless", configs: { lossless: choice.config, native: { prompt: "In short." } } },
    });
  });

  it("corrects each writer's estimates by its earlier summaries", () => {
    const { terms } = find({}, "claude-opus-4-6");
    expect(terms.writers.map(({ model, correction }) => [model, correction])).toEqual([
      ["claude-opus-4-6", { promptUsd: 1, outputUsd: 1 }],
      ["gpt-4o-mini", { promptUsd: 2, outputUsd: 3 }],
    ]);
    expect(find({}, "fast").terms.writers[0].correction).toEqual({ promptUsd: 2, outputUsd: 3 });
  });

  it("uses a profile's model, terms and settings", () => {
    expect(find({ profile: "cheap" }, "claude-opus-4-6").terms).toMatchObject({
      model: "gpt-4o-mini",
      upstream: "other",
      plan: { windowTokens: 5_000, model: { prices: { input: 0.5 } } },
    });
    const { terms } = find({ profile: "plain" }, "claude-opus-4-6");
    expect(terms).toMatchObject({
      model: "claude-opus-4-6",
      summarizer: "cheap",
      plan: { strategy: "sandwich", thresholdPercent: undefined },
    });
  });

  it("uses the window of a profile's upstream for its model, unless the profile sets one", () => {
    const windowsWith = (window: object) => {
      const profiles = { cheap: { upstream: "small", model: "gpt-4o-mini", ...window } };
      const small = snapshotOf({ upstreams: { small: { kind: "openai", apiKey: "k", window: 7_000 } }, profiles });
      const hint = { format: "anthropic-messages", model: "claude-opus-4-6" } as const;
      const { terms } = findTerms({}, hint, { snapshot: small, resolve, ratioOf: () => 1, correct });
      return terms.writers.flatMap(({ profile, windowTokens }) => (profile === undefined ? [] : [windowTokens]));
    };
    expect([windowsWith({}), windowsWith({ window: 5_000 })]).toEqual([[7_000], [5_000]]);
  });

  it("lists the possible writers, the conversation's own model first", () => {
    expect(find({ summarizer: "cheap" }, "claude-opus-4-6").terms).toMatchObject({
      summarizer: "cheap",
      writers: [{ model: "claude-opus-4-6" }, { profile: "cheap", model: "gpt-4o-mini", windowTokens: 5_000 }],
    });
  });

  it("warns about a model without a route and a conversation without a model", () => {
    const unrouted = find({}, "gemini-2.5-pro");
    expect(unrouted).not.toHaveProperty("destination");
    expect(unrouted.terms).toMatchObject({ tokenizer: "gemini", warnings: [expect.stringContaining("no route")] });
    expect(unrouted.terms).not.toHaveProperty("upstream");
    expect(find({}).terms).toMatchObject({
      model: "claude-sonnet-4-5",
      warnings: [expect.stringContaining("no model")],
    });
  });

  it.each<[PreviewOptions, string]>([
    [{ profile: "none" }, 'profile "none" does not exist'],
    [{ profile: "toString" }, 'profile "toString" does not exist'],
    [{ summarizer: "none" }, 'profile "none" does not exist'],
    [{ choice: { strategy: "magic" } }, 'unknown strategy "magic"'],
    [{ choice: { strategy: "native", config: { nonsense: 1 } } }, "nonsense"],
  ])("rejects %j", (options, message) => {
    expect(() => find(options, "claude-opus-4-6")).toThrow(message);
  });
});
