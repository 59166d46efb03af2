import { isJsonObject, LonghaulError, tryParseJson } from "@longhaul/conversation";
import { formatCount, formatUsd } from "@longhaul/models/format";
import type { Store } from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore } from "../config/config-source.ts";
import { formatPercent, type Style, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Prints one short line about the session that Claude Code describes on standard input: how full the window is, the cost and the savings. A fault
 * of the store or the configuration is shown in that line, because Claude Code shows nothing if the command fails.
 */
export async function statusline(flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const session = sessionIn(await terminal.readAll());
  // Claude Code shows colours, although standard output is not a terminal.
  const style = styleOf({ hasColours: !terminal.environment.NO_COLOR });
  terminal.write(`${await lineFor(session, { flags, terminal, style })}\n`);
}

interface Context {
  readonly flags: ConfigFlags;
  readonly terminal: Terminal;
  readonly style: Style;
}

async function lineFor(session: string | undefined, { flags, terminal, style }: Context): Promise<string> {
  try {
    const result = await readStore(configuredStore(flags, terminal), (store) => readSession(store, session));
    return "read" in result && result.read !== undefined
      ? formatSession(result.read, style)
      : style.dim("longhaul: no requests yet");
  } catch (error) {
    if (error instanceof LonghaulError) return style.bad(`longhaul: ${error.code}`);
    throw error;
  }
}

function sessionIn(input: string): string | undefined {
  const value = tryParseJson(input);
  return isJsonObject(value) && typeof value.session_id === "string" ? value.session_id : undefined;
}

type Known = NonNullable<Awaited<ReturnType<typeof readSession>>>;

/** Number of recent sessions to search. */
const LATEST = 200;

/** Reads the named session, or the most recent main thread if none is named. */
async function readSession({ events }: Store, session: string | undefined) {
  const summaries = await events.sessions(session === undefined ? { limit: 1, parent: "" } : { limit: LATEST });
  const id = session ?? summaries[0]?.session;
  if (id === undefined) return undefined;
  const [last] = await events.requests({ session: id, limit: 1, hasFailed: false });
  return last && { last, summary: summaries.find((each) => each.session === id) };
}

const CELLS = 10;
const NEARLY_FULL = 0.8;

function formatSession({ last, summary }: Known, { good, bad, dim }: Style): string {
  const tokens = last.sentTokens || last.inputTokens + last.cacheReadTokens + last.cacheWriteTokens;
  const share = last.windowTokens === 0 ? 0 : Math.min(1, tokens / last.windowTokens);
  const full = Math.round(CELLS * share);
  const bar = `${"▰".repeat(full)}${"▱".repeat(CELLS - full)} ${formatPercent(share)}`;
  const window = last.windowTokens === 0 ? "" : ` ${dim(`of ${formatThousands(last.windowTokens)}`)}`;
  const parts = [
    `${share >= NEARLY_FULL ? bad(bar) : good(bar)}${window}`,
    ...(last.originalTokens > tokens ? [`${formatThousands(last.originalTokens)} → ${formatThousands(tokens)}`] : []),
    ...(summary && summary.condensations > 0 ? [`condensed ${formatTimes(summary.condensations)}`] : []),
    ...(summary && summary.costUsd > 0 ? [formatUsd(summary.costUsd, 2)] : []),
    ...(summary && Math.abs(summary.savedUsd) >= 0.005 ? [describeSaving(summary.savedUsd)] : []),
  ];
  return parts.join(" · ");
}

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${formatCount(count)} times`;
}

function describeSaving(usd: number): string {
  return usd < 0 ? `extra cost ${formatUsd(-usd)}` : `saved ${formatUsd(usd)}`;
}

function formatThousands(tokens: number): string {
  return tokens >= 1_000_000 ? `${(tokens / 1_000_000).toFixed(1)}M` : `${Math.round(tokens / 1_000)}k`;
}
