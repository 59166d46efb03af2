import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { analyzeSession, heldDifference } from "@longhaul/admin/replays";
import { describe, expect, it } from "vitest";
import { openModels, readLog } from "../logs/read-session.ts";

/** Real sessions, if they are next to the repository. The totals were counted independently of the readers. */
const SESSIONS = new URL("../../../../../shared/data/sessions/", import.meta.url);
const models = openModels();

describe.runIf(existsSync(SESSIONS))("real sessions", () => {
  it.each([
    ["claude-code/large.jsonl", 66_925_567 + 2_395_354 + 360, 22_976],
    ["pi/refactor-before-compaction.jsonl", 54_693_675 + 1_685_320 + 3_689, 187_895],
  ])("counts within 5%% of the usage reported in %s", async (file, promptTokens, outputTokens) => {
    const { reading } = readLog({ path: fileURLToPath(new URL(file, SESSIONS)), name: file });
    const analysis = analyzeSession(file, reading, { model: await models.modelOf(reading), strategies: [] });
    expect(analysis.recorded).toMatchObject({ promptTokens, usage: { outputTokens } });
    const { reportedTokens, countedTokens, anchoredTokens } = analysis.accuracy!;
    expect(Math.abs(countedTokens / reportedTokens - 1)).toBeLessThan(0.05);
    expect(Math.abs(heldDifference(analysis.accuracy!))).toBeLessThan(0.05);
    expect(Math.abs(anchoredTokens / reportedTokens - 1)).toBeLessThan(0.005);
    expect(Math.abs((analysis.costUsd ?? 0) / (analysis.recorded?.costUsd ?? 0) - 1)).toBeLessThan(0.05);
  });
});
