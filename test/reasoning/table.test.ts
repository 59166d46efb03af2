import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRig, type Rig } from "./rig.ts";
import { rowsIn, sendRow } from "./rows.ts";

const rows = rowsIn(readFileSync(new URL("../../docs/reasoning.md", import.meta.url), "utf8"));

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

/** Names that only the place they are meant for would know. */
const UNKNOWN_MODEL = /does not exist|is not a valid model ID/;

describe("docs/reasoning.md", () => {
  it("has rows for every vendor", () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
    expect(new Set(rows.map(({ upstream }) => upstream))).toEqual(
      new Set(["anthropic", "openai", "gemini", "openai-compatible", "openrouter", "bedrock", "vertex"]),
    );
  });

  it.each(rows.map((row) => [row.client, row.upstream, row.model, row.settings, row.request, row] as const))(
    "%s client, %s upstream: %s %s %s",
    async (_, __, ___, ____, _____, row) => {
      const { status, ...outcome } = await sendRow(rig, row);
      expect(outcome).toEqual({ sentAs: row.sentAs, sent: row.sent });
      if (outcome.sentAs === "") return expect(status).toBe(400);
      const { rejected } = rig.simulator.requests().at(-1) ?? {};
      expect(rejected?.message ?? "").toMatch(rejected === undefined ? "" : UNKNOWN_MODEL);
    },
  );
});
