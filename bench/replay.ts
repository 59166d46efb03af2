// Sessions played turn by turn through the gateway to a strict simulator, for every strategy, next to what people do without it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { STRATEGIES } from "@longhaul/condense";
import { type Aim, cheaperThanRecompaction, musts, noDearerThan, printAims } from "./replay/aims.ts";
import { EXPLANATION, printRows } from "./replay/print-rows.ts";
import { makePlayer, type Player, type Row } from "./replay/rows.ts";
import { chooseSessions, type Session } from "./replay/session.ts";

const { values: flags } = parseArgs({
  options: {
    /** `baselines`, `strategies` or `compaction`: only those rows. */
    only: { type: "string" },
    /** Sessions whose name holds this. */
    session: { type: "string" },
    /** One strategy's id. */
    strategy: { type: "string" },
    /** One of the windows below. */
    window: { type: "string" },
    /** How many turns of a session are played. */
    turns: { type: "string", default: "60" },
  },
});

/** Windows as shares of the session; the session fits into the last two, but comes near the end of the first of them. */
const WINDOWS: Readonly<Record<string, number>> = {
  "1/2": 1 / 2,
  "1/4": 1 / 4,
  "1/8": 1 / 8,
  "4/3": 4 / 3,
  "2/1": 2,
};
/** Where nothing happens, so that it is played only when it is asked for. */
const SELDOM_ASKED = "2/1";
/** It never condenses, so it is to fail wherever the session doesn't fit. */
const FAILS_BY_DESIGN = "full-history";

const sessions = chooseSessions(flags.session);
const windows = Object.entries(WINDOWS).filter(([name]) =>
  flags.window === undefined ? name !== SELDOM_ASKED : name === flags.window,
);
const strategies = STRATEGIES.filter(({ id }) => flags.strategy === undefined || id === flags.strategy);
if (sessions.length * windows.length * strategies.length === 0)
  throw new Error("there is no such session, window or strategy");
const wants = (part: string) => flags.only === undefined || flags.only === part;

const folder = mkdtempSync(join(tmpdir(), "bench-replay-"));
const found = { musts: [] as Aim[], cost: [] as Aim[], fitting: [] as Aim[] };
let stores = 0;
try {
  for (const session of sessions) await playSession(session);
} finally {
  process.stderr.write("\r\u001b[K");
  rmSync(folder, { recursive: true });
}
console.log(EXPLANATION);
printAims("Every turn answered, no error, no orphan, no change between condensations", found.musts);
printAims("Less than half the cost of re-compaction on every turn", found.cost);
printAims("In a window that the session fits into, no dearer than uncondensed", found.fitting);
if (found.musts.some(({ holds }) => !holds)) process.exitCode = 1;

async function playSession(session: Session): Promise<void> {
  const player = makePlayer(session, {
    storePath: () => join(folder, `${stores++}.db`),
    maxTurns: Number(flags.turns),
    onRow: (name) => process.stderr.write(`\r\u001b[K${session.name}: ${name}`),
  });
  const whole = await player.uncondensed();
  const tokens = whole.figures.lastPromptTokens;
  printRows(`${session.name}: ${tokens} tokens, in the format of ${session.format.name}`, [whole]);
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
    rows.push(await player.unhelped(windowTokens), await player.slidingClient(windowTokens, tokens));
  if (recompacted !== undefined) rows.push(recompacted);
  const helped = await helpedRows(player, windowTokens);
  for (const row of helped.filter(({ name }) => name !== FAILS_BY_DESIGN)) {
    found.musts.push(...musts(where, row));
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
    found.musts.push(...musts(where, row));
    found.fitting.push(noDearerThan(where, row, whole));
  }
  return helped;
}

async function helpedRows(player: Player, windowTokens: number): Promise<Row[]> {
  const rows: Row[] = [];
  if (wants("strategies")) for (const { id } of strategies) rows.push(await player.condensed(id, windowTokens));
  if (wants("compaction") && flags.strategy === undefined) rows.push(await player.compacted(windowTokens));
  return rows;
}
