// Plays sessions turn by turn through the gateway to a strict simulator, for every strategy, and compares them with common alternatives.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STRATEGIES } from "@longhaul/condense";
import {
  cheaperThanRecompaction,
  EXPLANATION,
  type Goal,
  invariantsOf,
  notMoreExpensiveThan,
  printGoals,
  printRows,
} from "./replay/print-rows.ts";
import { makePlayer, type Player, type Row } from "./replay/rows.ts";
import { chooseSessions, type Session } from "./replay/session.ts";

const { values: flags } = parseArgs({
  options: {
    /** Only these rows: `baselines`, `strategies` or `compaction`. */
    only: { type: "string" },
    /** Only sessions whose name contains this. */
    session: { type: "string" },
    /** Only this strategy. */
    strategy: { type: "string" },
    /** Only this window. */
    window: { type: "string" },
    /** Whether the model writes summaries of 0.5 to 1.5 times the requested length, instead of exactly that. */
    vary: { type: "boolean", default: false },
    /** How many turns of a session to play. */
    turns: { type: "string", default: "60" },
  },
});

/** Windows as shares of the session. The session fits into the last two, but nearly fills the first of them. */
const WINDOWS: Readonly<Record<string, number>> = {
  "1/2": 1 / 2,
  "1/4": 1 / 4,
  "1/8": 1 / 8,
  "4/3": 4 / 3,
  "2/1": 2,
};
/** Nothing happens in this window, so it is played only on request. */
const ONLY_ON_REQUEST = "2/1";
/** It never condenses, so it must fail wherever the session does not fit. */
const FAILS_BY_DESIGN = "full-history";

const sessions = chooseSessions(flags.session);
const windows = Object.entries(WINDOWS).filter(([name]) =>
  flags.window === undefined ? name !== ONLY_ON_REQUEST : name === flags.window,
);
const strategies = STRATEGIES.filter(({ id }) => flags.strategy === undefined || id === flags.strategy);
if (sessions.length * windows.length * strategies.length === 0) throw new Error("unknown session, window or strategy");
const wants = (part: string) => flags.only === undefined || flags.only === part;

const folder = mkdtempSync(join(tmpdir(), "bench-replay-"));
const found = { musts: [] as Goal[], cost: [] as Goal[], fitting: [] as Goal[] };
let stores = 0;
try {
  for (const session of sessions) await playSession(session);
} finally {
  process.stderr.write("\r\u001b[K");
  rmSync(folder, { recursive: true });
}
console.log(EXPLANATION);
printGoals("Every turn answered, no errors, no orphans, no change between condensations", found.musts);
printGoals("Less than half the cost of re-compaction on every turn", found.cost);
printGoals("Not more expensive than uncondensed in a window that the session fits into", found.fitting);
if (found.musts.some(({ holds }) => !holds)) process.exitCode = 1;

async function playSession(session: Session): Promise<void> {
  const player = makePlayer(session, {
    storePath: () => join(folder, `${stores++}.db`),
    maxTurns: Number(flags.turns),
    ...(flags.vary && { summaryShares: [0.5, 1.5] as const }),
    onRow: (name) => process.stderr.write(`\r\u001b[K${session.name}: ${name}`),
  });
  const whole = await player.uncondensed();
  const tokens = whole.figures.lastPromptTokens;
  printRows(`${session.name}: ${tokens} tokens, format ${session.format.name}`, [whole]);
  for (const [name, share] of windows) {
    const windowTokens = Math.round(share * tokens);
    const where = `${session.name}, ${name}`;
    const rows =
      share < 1
        ? await narrowRows(player, where, { windowTokens, tokens })
        : await wideRows(player, where, { windowTokens, whole });
    process.stderr.write("\r\u001b[K");
    if (rows.length > 0) printRows(`${session.name} in a window of ${windowTokens} tokens, ${name} of it`, rows);
  }
}

/** A window that the session outgrows. */
async function narrowRows(
  player: Player,
  where: string,
  { windowTokens, tokens }: { windowTokens: number; tokens: number },
): Promise<Row[]> {
  const rows: Row[] = [];
  let recompacted: Row | undefined;
  if (flags.only !== "compaction") recompacted = await player.recompacted?.(windowTokens, tokens);
  if (wants("baselines"))
    rows.push(await player.notCondensed(windowTokens), await player.slidingClient(windowTokens, tokens));
  if (recompacted !== undefined) rows.push(recompacted);
  const helped = await helpedRows(player, windowTokens);
  for (const row of helped.filter(({ name }) => name !== FAILS_BY_DESIGN)) {
    found.musts.push(...invariantsOf(where, row));
    if (recompacted !== undefined) found.cost.push(cheaperThanRecompaction(where, row, recompacted));
  }
  return [...rows, ...helped];
}

/** A window that the session fits into. */
async function wideRows(
  player: Player,
  where: string,
  { windowTokens, whole }: { windowTokens: number; whole: Row },
): Promise<Row[]> {
  const helped = await helpedRows(player, windowTokens);
  for (const row of helped) {
    found.musts.push(...invariantsOf(where, row));
    found.fitting.push(notMoreExpensiveThan(where, row, whole));
  }
  return helped;
}

async function helpedRows(player: Player, windowTokens: number): Promise<Row[]> {
  const rows: Row[] = [];
  if (wants("strategies")) for (const { id } of strategies) rows.push(await player.condensed(id, windowTokens));
  if (wants("compaction") && flags.strategy === undefined) rows.push(await player.compacted(windowTokens));
  return rows;
}
