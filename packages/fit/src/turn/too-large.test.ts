import { PROJECTION_VERSION } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/index.ts";
import type { Condensed } from "../work/work.ts";
import { compactionReport } from "./compaction-report.ts";
import { tooLarge } from "./too-large.ts";

const condensed: Condensed = {
  projection: { version: PROJECTION_VERSION, messages: 0, entries: [] },
  rendering: { messages: 0, parts: [], prints: [], ratio: 1 },
  misfits: [],
  report: compactionReport({ tokensBefore: 0, tokensAfter: 5_000, costUsd: 0 }),
};

describe("tooLarge", () => {
  it("says by how much, and what takes how much", async () => {
    const turn = await (await openFitBench()).turn(makeChat(40, { system: "Be brief." }));
    const { history, limits } = turn;
    const error = tooLarge(turn, condensed);
    expect(error.code).toBe("request.too-large");
    expect(error.message).toContain(`${5_000 - limits.budgetTokens} tokens over the ${limits.budgetTokens}`);
    expect(error.message).toContain(`system and tools take ${history.headTokens} tokens`);
    expect(error.message).toContain(`the last message ${history.messageTokens.at(-1)}`);
    expect(error.overflow).toMatchObject({ actualTokens: history.tokens, limitTokens: 4_000 });
    expect(history.tokens).toBeGreaterThan(4_000);
  });

  it("names a limit that the request is over", async () => {
    const { turn: open } = await openFitBench({ facts: { maxInput: 50 } });
    const turn = await open(makeChat(1));
    expect(tooLarge(turn, condensed).overflow).toMatchObject({ actualTokens: turn.history.tokens, limitTokens: 50 });
  });

  it("speaks of no less than nothing where the answer alone fills the window", async () => {
    const turn = await (await openFitBench()).turn(makeChat(1));
    const error = tooLarge({ ...turn, limits: { ...turn.limits, budgetTokens: -92 } }, condensed);
    expect(error.message).toContain("5000 tokens over the 0 that may be sent");
  });

  it("names what is no matter of tokens", async () => {
    const turn = await (await openFitBench()).turn(makeChat(1));
    const misfits = [{ what: "images", size: 300, limit: 200 } as const];
    const error = tooLarge(turn, { ...condensed, misfits });
    expect(error.message).toContain("take it out of the request");
    expect(error.message).toContain("300");
  });
});
