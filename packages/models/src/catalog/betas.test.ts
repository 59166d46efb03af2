import { expect, it } from "vitest";
import { BETAS, betasOn } from "./betas.ts";

it("supports compaction on demand everywhere but on Bedrock", () => {
  expect(BETAS["compaction-on-demand"]).toEqual({
    anthropic: "compact-2026-09-04",
    vertex: "compact-2026-09-04",
    azure: "compact-2026-09-04",
  });
  expect(betasOn("bedrock")).not.toHaveProperty("compaction-on-demand");
  expect(betasOn("bedrock")).toHaveProperty("compaction-threshold", "compact-2026-01-12");
});

it("returns the header value of the platform", () => {
  expect(betasOn("anthropic")["fallback-credit"]).toBe("fallback-credit-2026-06-01");
  expect(betasOn("bedrock")["fallback-credit"]).toBe("fallback-credit-2026-06-09");
});

it("omits features that a platform lacks", () => {
  for (const feature of ["structured-outputs", "mcp", "files", "skills", "advanced-tool-use"]) {
    expect(betasOn("vertex")).not.toHaveProperty(feature);
  }
  expect(betasOn("bedrock")).toHaveProperty("structured-outputs");
  expect(betasOn("bedrock")).not.toHaveProperty("advanced-tool-use");
});

it("has a dated header for every feature, and every feature on Anthropic", () => {
  for (const row of Object.values(BETAS)) {
    expect(row.anthropic).toBeDefined();
    for (const value of Object.values(row)) expect(value).toMatch(/^[a-z0-9-]+-20\d\d-\d\d-\d\d$/);
  }
});
