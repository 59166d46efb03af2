import { setTimeout as wait } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import { formatCount, formatUsd } from "@longhaul/models/format";
import type { Store } from "@longhaul/store";
import { configuredStore, readStore } from "../config/config-source.ts";
import { isSimulated } from "../gateway/sessions.ts";
import { eventsIn, sumUp, type UsageRow } from "../gateway/usage-rows.ts";
import { pluralize } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The run of a client that just ended. */
export interface EndedRun {
  readonly startedAtMs: number;
  /** Whether its gateway has been stopped, so that it has stored everything. */
  readonly isOwn: boolean;
  /** The key that only this run used. */
  readonly keyId?: string;
}

/** A gateway stores its events within this time. */
const STORED_WITHIN_MS = 700;

/** Returns one line about the cost and the savings of a run. Empty if it sent nothing, or if its gateway uses another store. */
export async function describeRun(run: EndedRun, terminal: Terminal): Promise<string> {
  if (!run.isOwn) await wait(STORED_WITHIN_MS);
  try {
    const result = await readStore(configuredStore({}, terminal), (store) => readRun(store, run, terminal.folder));
    return "read" in result ? describeFigures(result.read) : "";
  } catch (error) {
    // The run is over: a fault of the store must not replace the client's exit code.
    if (error instanceof LonghaulError) return "";
    throw error;
  }
}

interface RunFigures {
  readonly row: UsageRow;
  readonly isSimulated: boolean;
}

const MAX_SESSIONS = 1_000;

/** Reads the requests since the start in this folder: other clients may use the gateway, too. */
async function readRun(store: Store, { startedAtMs, keyId }: EndedRun, folder: string): Promise<RunFigures> {
  const query = { limit: MAX_SESSIONS, sinceMs: startedAtMs, ...(keyId !== undefined && { keyId }) };
  const sessions = (await store.events.sessions(query)).filter(({ project }) => ["", folder].includes(project));
  const names = new Set(sessions.map(({ session }) => session));
  const events = await eventsIn(store, { sinceMs: startedAtMs, untilMs: Number.MAX_SAFE_INTEGER });
  const row = sumUp(
    "",
    events.filter(({ group }) => names.has(group)),
  );
  return { row, isSimulated: sessions.every(isSimulated) };
}

function describeFigures({ row: { requests, errors, costUsd, savedUsd }, isSimulated }: RunFigures): string {
  if (requests === 0) return "";
  const failed = errors === 0 ? "" : ` (${formatCount(errors)} failed)`;
  const cost = isSimulated
    ? "answered by the built-in simulator, which costs nothing"
    : `${formatUsd(costUsd)} at list prices, ${describeSaved(savedUsd)}`;
  return `Longhaul: ${pluralize(requests, "request")}${failed}, ${cost}. Details: \`longhaul sessions\`\n`;
}

function describeSaved(usd: number): string {
  if (usd === 0) return "nothing saved yet";
  return usd > 0 ? `${formatUsd(usd)} saved` : `${formatUsd(-usd)} more than without Longhaul so far`;
}
