import { analyzeSession } from "@longhaul/admin/replays";
import { makeSessionReading } from "@longhaul/admin/testing";
import { ANATOMY_PARTS, findStrategy } from "@longhaul/condense/advanced";
import { describe, expect, it } from "vitest";
import { openModels } from "../logs/read-session.ts";
import { totalsOf } from "./totals.ts";

const models = openModels();
const strategies = [findStrategy("middle-out")];
const usage = (call: number) => ({
  inputTokens: 10,
  cacheReadTokens: 700 * call,
  cacheWriteTokens: 700,
  outputTokens: 20,
});

describe("totalsOf", () => {
  it("sums up sessions", async () => {
    const reading = makeSessionReading(6, usage);
    const one = analyzeSession("a.jsonl", reading, { model: await models.modelOf(reading), strategies });
    const totals = totalsOf([one, one]);
    expect(totals).toMatchObject({
      sessions: 2,
      calls: 2 * one.calls,
      sentTokens: 2 * one.sentTokens,
      pricedSessions: 2,
    });
    expect(totals.reported).toEqual({
      sessions: 2,
      tokens: 2 * one.accuracy!.reportedTokens,
      countedTokens: 2 * one.accuracy!.countedTokens,
    });
    expect(totals.strategies[0]).toMatchObject({
      strategy: "middle-out",
      savedTokens: 2 * one.strategies[0]!.savedTokens,
      savedUsd: 2 * one.strategies[0]!.savedUsd!,
    });
    expect(ANATOMY_PARTS.map((part) => totals.parts[part])).toEqual(
      ANATOMY_PARTS.map((part) => 2 * one.anatomy.parts[part]),
    );
  });

  it("returns zeros for no sessions", () => {
    expect(totalsOf([])).toMatchObject({ sessions: 0, costUsd: null, strategies: [] });
  });
});
