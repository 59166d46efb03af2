import { measuresOfRequest, type Totals } from "@longhaul/store";
import { makeRequestEvent } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { blocksOf } from "./usage-blocks.ts";

const at = (time: string) => Date.parse(`2026-11-${time}Z`);

/** A request of 1,000 tokens. */
function makeEntry(time: string, costUsd: number): Totals {
  const usage = { inputTokens: 100, cacheWriteTokens: 200, cacheReadTokens: 600, outputTokens: 100 };
  return { atMs: at(time), group: "", ...measuresOfRequest(makeRequestEvent({ ...usage, costUsd, savedUsd: 0 })) };
}

describe("blocksOf", () => {
  const entries = [
    // 09:00 to 14:00, with requests from 09:20 to 11:20.
    makeEntry("17T09:20", 1),
    makeEntry("17T10:20", 2),
    makeEntry("17T11:20", 3),
    // The last one was before 14:00, so the next begins at the hour of the next request.
    makeEntry("17T14:05", 0.5),
    // A day later; the block ends at 15:00.
    makeEntry("18T10:30", 2),
    makeEntry("18T11:30", 4),
  ];
  const blocks = blocksOf(entries, at("18T12:00"));

  it("begins at the full hour of the first request and lasts five hours", () => {
    expect(blocks.map(({ name, requests, costUsd }) => [name, requests, costUsd])).toEqual([
      ["2026-11-18 10:00–15:00", 2, 6],
      ["2026-11-17 14:00–19:00", 1, 0.5],
      ["2026-11-17 09:00–14:00", 3, 6],
    ]);
  });

  it("measures the burn rate from the first to the last request", () => {
    // 3,000 tokens and $6 in 120 minutes; 2,000 tokens and $6 in 60 minutes.
    expect(blocks[2]?.burnRate).toEqual({ tokensPerMinute: 25, usdPerHour: 3 });
    expect(blocks[0]?.burnRate).toEqual({ tokensPerMinute: 2_000 / 60, usdPerHour: 6 });
    expect(blocks[1]?.burnRate).toBeNull();
  });

  it("projects the active block to its end", () => {
    // 180 minutes are left: $6 + 3 h × $6, and 2,000 + 180 × 33.3 tokens.
    expect(blocks.map(({ isActive, projected }) => [isActive, projected])).toEqual([
      [true, { tokens: 8_000, costUsd: 24 }],
      [false, null],
      [false, null],
    ]);
  });
});
