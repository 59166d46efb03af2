import { describe, expect, it } from "vitest";
import { describeReport, type PassReport, type Report } from "./report.ts";

const pass = (name: string, tokensBefore: number, tokensAfter: number): PassReport => ({
  id: name,
  name,
  outcome: "applied",
  tokensBefore,
  tokensAfter,
  operations: {},
  costUsd: 0,
  milliseconds: 1,
});

const report: Report = {
  strategy: "smart",
  strategyName: "Smart",
  passes: [
    pass("Lossless prelude", 8500, 5200),
    { ...pass("Nothing", 5200, 5200), outcome: "nothing-to-do" },
    pass("Pass 1 (Truncate)", 5200, 3800),
    pass("Pass 2 (Suppress)", 3800, 2800),
  ],
  tokensBefore: 8500,
  tokensAfter: 2800,
  costUsd: 0,
  savedPerCallUsd: 0.0036,
  milliseconds: 1800,
  fallbacks: [],
  warnings: [],
};

describe("describeReport", () => {
  it("describes the run pass by pass", () => {
    expect(describeReport(report)).toBe(
      [
        "Context condensed using Smart strategy:",
        " - Lossless prelude: 8,500 → 5,200 tokens (-39%)",
        " - Pass 1 (Truncate): 5,200 → 3,800 tokens (-27%)",
        " - Pass 2 (Suppress): 3,800 → 2,800 tokens (-26%)",
        " - Total reduction: 67% (saves $0.0036 per call from a warm cache)",
        " - Time: 1.8 seconds",
      ].join("\n"),
    );
  });

  it("counts the note and the marks, so that the figures add up", () => {
    const lines = describeReport({ ...report, tokensAfter: 2_950 }).split("\n");
    expect(lines.slice(3, 5)).toEqual([
      " - Pass 2 (Suppress): 3,800 → 2,800 tokens (-26%)",
      " - Note and marks: 2,800 → 2,950 tokens (150 added)",
    ]);
  });

  it("says how much is left free, and why", () => {
    const unused = { tokens: 1_200, why: "repeats alone freed enough" };
    expect(describeReport({ ...report, unused })).toContain(
      " - Left free: 1,200 tokens (repeats alone freed enough)\n",
    );
  });

  it("names no savings if the price is unknown", () => {
    expect(describeReport({ ...report, savedPerCallUsd: 0 })).toContain(" - Total reduction: 67%\n");
  });

  it("lists failed strategies and warnings", () => {
    const text = describeReport({
      ...report,
      fallbacks: [{ strategy: "native", why: "no model" }],
      warnings: ["careful"],
    });
    expect(text.split("\n").slice(-2)).toEqual([" - Fallback: native failed (no model)", " - Warning: careful"]);
  });
});
