import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STRATEGIES } from "@longhaul/condense";
import { afterAll, describe, expect, it } from "vitest";
import { makeSession } from "../condense/generate.ts";
import { FORMATS, type Format, MESSAGES } from "./format.ts";
import { type Figures, play } from "./play.ts";
import { openRig, type RigOptions } from "./rig.ts";
import { writeScript } from "./script.ts";
import { playable } from "./session.ts";

/** By the simulator's count. */
const SESSION_TOKENS = 66_000;
const SESSION = makeSession(62_000);
const WINDOW_TOKENS = SESSION_TOKENS / 4;
/** The session outgrows the room between target and trigger about this often. */
const MOST_CONDENSATIONS = 20;

const folder = mkdtempSync(join(tmpdir(), "replay-"));
let stores = 0;
afterAll(() => rmSync(folder, { recursive: true }));

async function replay({
  strategy,
  format = MESSAGES,
  windowTokens = WINDOW_TOKENS,
  restartAt,
  summaryShares,
}: Replay): Promise<Figures> {
  const options: RigOptions = {
    format,
    windowTokens,
    summaryTokens: 400,
    context: strategy === undefined ? { mode: "off" } : { strategy },
    storePath: join(folder, `${stores++}.db`),
    ...(summaryShares && { summaryShares }),
  };
  const rig = await openRig(options);
  const script = writeScript(playable("generated", SESSION, format), { windowTokens });
  const onTurn = async (turn: number) => {
    if (turn === restartAt) await rig.restart();
  };
  return await play({ rig, script, onTurn, watches: strategy !== undefined }).finally(() => rig.close());
}

interface Replay {
  /** If absent, nothing is condensed. */
  readonly strategy?: string;
  readonly format?: Format;
  readonly windowTokens?: number;
  /** Another gateway on the same store takes over before this turn. */
  readonly restartAt?: number;
  readonly summaryShares?: readonly [number, number];
}

function expectUnharmed(figures: Figures): void {
  const { turns, answered, overflows, otherErrors, problems, orphans } = figures;
  expect({ answered, overflows, otherErrors, problems, orphans }).toEqual({
    answered: turns,
    overflows: 0,
    otherErrors: 0,
    problems: [],
    orphans: 0,
  });
}

/** Bytes do not change between condensations, and there are few of these. */
function expectSteady({ condensations, rewrites }: Figures): void {
  expect(condensations).toBeLessThanOrEqual(MOST_CONDENSATIONS);
  expect(rewrites.length).toBeLessThanOrEqual(condensations);
}

it("a session overflows a window of a quarter of its size without condensing", async () => {
  const figures = await replay({});
  expect(figures.answered).toBeGreaterThan(5);
  expect(figures.answered).toBeLessThan(figures.turns / 2);
  expect(figures.overflows).toBe(3);
});

it("a session that fits is never rewritten", async () => {
  const figures = await replay({ strategy: "middle-out", windowTokens: 4 * SESSION_TOKENS });
  expectUnharmed(figures);
  expect(figures.rewrites).toEqual([]);
  expect(figures.summaries).toBe(0);
});

const strategies = STRATEGIES.map(({ id }) => id).filter((id) => id !== "full-history");
const formats = FORMATS.filter((format) => format !== MESSAGES).map((format) => [format.name, format] as const);

describe("in a window of a quarter of the session", () => {
  const played = new Map<string, Figures>();

  it.each(strategies)("%s answers every turn and rarely rewrites", async (strategy) => {
    const figures = await replay({ strategy });
    played.set(strategy, figures);
    expectUnharmed(figures);
    expect(figures.condensations).toBeGreaterThan(0);
    expectSteady(figures);
  });

  it.each(formats)("a client of the format %s gets every turn answered", async (_, format) => {
    const figures = await replay({ strategy: "native", format });
    expectUnharmed(figures);
    expectSteady(figures);
  });

  it.each(["native", "sandwich", "tree-summary"])(
    "%s estimates what the conversation's own model bills for summaries of half to one and a half times the requested length",
    async (strategy) => {
      const { estimates } = await replay({ strategy, summaryShares: [0.5, 1.5] });
      const sumOf = (field: "estimatedUsd" | "costUsd") => estimates.reduce((sum, cost) => sum + cost[field], 0);
      expect(estimates.length).toBeGreaterThan(3);
      expect(Math.abs(sumOf("estimatedUsd") / sumOf("costUsd") - 1)).toBeLessThan(0.2);
    },
  );

  it("a restart in mid-session changes nothing", async () => {
    const restarted = await replay({ strategy: "native", restartAt: 40 });
    // A gateway learns from its own summaries how far estimates are off, and starts over after a restart.
    const unlike = { addedMs: 0, estimates: [] };
    expect({ ...restarted, ...unlike }).toEqual({ ...played.get("native"), ...unlike });
  });
});
