import { describe, expect, it } from "vitest";
import { parseConfig } from "../layers/layer-settings.ts";
import { mergeReasoning, type ReasoningConfig } from "./reasoning-config.ts";

describe("mergeReasoning", () => {
  const wider: ReasoningConfig = { effort: "high", maxTokens: 8_000, exclude: true, patterns: { "a*": "effort" } };

  it("keeps what the narrower settings do not set", () => {
    expect(mergeReasoning(wider)).toEqual(wider);
    expect(mergeReasoning(wider, { exclude: false })).toEqual({ ...wider, exclude: false });
    expect(mergeReasoning({}, {})).toEqual({});
  });

  it("lets the last one override", () => {
    expect(mergeReasoning(wider, { effort: "low", exclude: false }, undefined, { effort: "max" })).toMatchObject({
      effort: "max",
      exclude: false,
    });
  });

  it("replaces effort and budget together", () => {
    expect(mergeReasoning(wider, { effort: "low" })).toEqual({
      effort: "low",
      exclude: true,
      patterns: wider.patterns,
    });
    expect(mergeReasoning(wider, { maxTokens: 0 })).toEqual({ maxTokens: 0, exclude: true, patterns: wider.patterns });
  });

  it("adds patterns, the narrower ones last", () => {
    expect(mergeReasoning(wider, { patterns: { "b*": "none" } }).patterns).toEqual({ "a*": "effort", "b*": "none" });
  });
});

describe("reasoning settings", () => {
  it("are global, of profiles and of routes", () => {
    const config = parseConfig(
      {
        upstreams: { up: { kind: "simulator" } },
        reasoning: { effort: "high", patterns: { "my-*": "budget" } },
        profiles: { deep: { reasoning: { maxTokens: 16_000 } } },
        routes: [{ match: "*", upstream: "up", profile: "deep", reasoning: { exclude: true } }],
      },
      {},
    );
    expect(config.reasoning).toEqual({ effort: "high", patterns: { "my-*": "budget" } });
    expect(config.profiles.deep?.reasoning).toEqual({ maxTokens: 16_000 });
    expect(config.routes[0]?.reasoning).toEqual({ exclude: true });
    expect(parseConfig({}, {}).reasoning).toEqual({});
  });

  it("are overridden by the environment", () => {
    const environment = { REASONING_EFFORT: "High", REASONING_MAX_TOKENS: "4096", REASONING_EXCLUDE: "TRUE" };
    const file = { reasoning: { effort: "low", exclude: false } };
    expect(parseConfig(file, environment).reasoning).toEqual({
      effort: "high",
      maxTokens: 4_096,
      exclude: true,
    });
    expect(parseConfig(file, { REASONING_EFFORT: " " }).reasoning).toEqual(file.reasoning);
    expect(parseConfig({}, { REASONING_EXCLUDE: "0" }).reasoning).toEqual({ exclude: false });
  });

  it.each([
    [{ REASONING_EFFORT: "ultra" }, "reasoning.effort"],
    [{ REASONING_MAX_TOKENS: "many" }, "reasoning.maxTokens"],
    [{ REASONING_MAX_TOKENS: "1.5" }, "reasoning.maxTokens"],
    [{ REASONING_MAX_TOKENS: "-1" }, "reasoning.maxTokens"],
    [{ REASONING_EXCLUDE: "maybe" }, "reasoning.exclude"],
  ])("reject %j with its path", (environment, path) => {
    expect(() => parseConfig({}, environment)).toThrow(path);
  });
});
