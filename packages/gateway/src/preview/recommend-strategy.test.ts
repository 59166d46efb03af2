import { findStrategy } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import type { DryRun } from "./dry-run.ts";
import { recommendStrategy } from "./recommend-strategy.ts";

function run(
  id: string,
  tokensAfter: number,
  more: { fits?: boolean; operations?: DryRun["report"]["passes"][number]["operations"] } = {},
): DryRun {
  const { fits = true, operations = {} } = more;
  const pass = {
    id: "p",
    name: "P",
    outcome: "applied",
    tokensBefore: 1_000,
    tokensAfter,
    operations,
    costUsd: 0,
    milliseconds: 0,
  } as const;
  const figures = {
    tokensBefore: 1_000,
    tokensAfter,
    costUsd: 0,
    savedUsd: 0,
    milliseconds: 0,
    fallbacks: [],
    warnings: [],
  };
  return {
    strategy: findStrategy(id),
    asked: [],
    fits,
    report: { strategy: id, strategyName: id, passes: [pass], ...figures },
  };
}

const recommend = (...runs: readonly DryRun[]) => recommendStrategy(runs, { targetTokens: 500 });

describe("recommendStrategy", () => {
  it("takes the one that leaves most of those that make enough room", () => {
    const runs = [run("native", 100), run("truncation", 450), run("smart", 600), run("lossless", 800)];
    expect(recommend(...runs)).toEqual({ strategy: "truncation", reason: expect.stringContaining("55 %") });
  });

  it("says that nothing is lost only where nothing is", () => {
    expect(recommend(run("lossless", 400, { operations: { reference: 3 } }), run("smart", 300)).strategy).toBe(
      "lossless",
    );
    expect(recommend(run("lossless", 400, { operations: { reference: 3, drop: 1 } }), run("smart", 300)).strategy).toBe(
      "smart",
    );
  });

  it("takes steps that lose something where repeats alone do not do", () => {
    const dropping = run("smart", 300, { operations: { reference: 3, cover: 9 } });
    expect(recommend(run("lossless", 800), dropping, run("truncation", 450)).strategy).toBe("smart");
  });

  it("takes what comes nearest where nothing makes enough room", () => {
    expect(recommend(run("smart", 800), run("middle-out", 700), run("native", 600, { fits: false }))).toEqual({
      strategy: "middle-out",
      reason: expect.stringContaining("nearest"),
    });
  });

  it("says where nothing fits", () => {
    expect(recommend(run("smart", 800, { fits: false })).reason).toContain("None makes it fit");
  });
});
