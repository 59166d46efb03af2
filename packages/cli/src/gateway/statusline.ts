// Imports little: Claude Code calls it after every turn. The code for other configurations is loaded only if it is needed.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { LonghaulError } from "@longhaul/conversation/error";
import { isJsonObject, tryParseJson } from "@longhaul/conversation/values";
import { formatCount, formatUsd } from "@longhaul/models/format";
import type { Store } from "@longhaul/store";
import { readStatus, type SessionStatus } from "@longhaul/store/status";
import type { ConfigFlags } from "../config/config-source.ts";
import { formatPercent, type Style, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * Prints one short line about the session that Claude Code describes on standard input: how full the window is, the cost and the savings. On
 * a terminal, the latest session's. A fault of the store or the configuration is shown in that line, because Claude Code shows nothing if
 * the command fails.
 */
export async function statusline(flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const session = terminal.hasInput ? sessionIn(await terminal.readAll()) : undefined;
  // Claude Code shows colours, although standard output is not a terminal.
  const style = styleOf({ hasColours: !terminal.environment.NO_COLOR });
  terminal.write(`${await lineFor(session, { flags, terminal, style })}\n`);
  if (!terminal.hasInput) terminal.writeError(FOR_CLAUDE_CODE);
}

const FOR_CLAUDE_CODE =
  "This is the latest session's line. `longhaul statusline --help` shows how Claude Code calls this command.\n";

interface Context {
  readonly flags: ConfigFlags;
  readonly terminal: Terminal;
  readonly style: Style;
}

async function lineFor(session: string | undefined, { flags, terminal, style }: Context): Promise<string> {
  try {
    const status = await statusIn(await quickPath(flags, terminal), session, { flags, terminal });
    return status === undefined ? style.dim(`longhaul: ${noAnswer(session)}`) : formatStatus(status, style);
  } catch (error) {
    if (error instanceof LonghaulError) return style.bad(`longhaul: ${error.code}`);
    throw error;
  }
}

function noAnswer(session: string | undefined): string {
  return session === undefined ? "no answered requests yet" : "no answered requests in this session yet";
}

function sessionIn(input: string): string | undefined {
  const value = tryParseJson(input);
  return isJsonObject(value) && typeof value.session_id === "string" ? value.session_id : undefined;
}

async function statusIn(
  path: string | undefined,
  session: string | undefined,
  { flags, terminal }: Pick<Context, "flags" | "terminal">,
): Promise<SessionStatus | undefined> {
  if (path !== undefined) return existsSync(path) ? readStatus(path, session) : undefined;
  const { configuredStore, readStore } = await import("../config/config-source.ts");
  const location = configuredStore(flags, terminal);
  if ("path" in location) return existsSync(location.path) ? readStatus(location.path, session) : undefined;
  const result = await readStore(location, (store) => readSession(store, session));
  return "read" in result ? result.read : undefined;
}

/** Returns the path of the database, if it can be found without checking the whole configuration. */
async function quickPath(
  { config, store }: ConfigFlags,
  { environment, folder }: Terminal,
): Promise<string | undefined> {
  if (environment.LONGHAUL_DATABASE_URL) return undefined;
  const home = environment.HOME || homedir();
  const folders = [join(folder, "longhaul.yaml"), join(folder, "longhaul.json")];
  const own = join(environment.XDG_CONFIG_HOME || join(home, ".config"), "longhaul", "longhaul.yaml");
  const file = config ?? (environment.LONGHAUL_CONFIG || [...folders, own].find((path) => existsSync(path)));
  const data = environment.XDG_DATA_HOME || join(home, ".local", "share");
  const usual = store ?? (environment.LONGHAUL_STORE || join(data, "longhaul", "longhaul.db"));
  if (file === undefined) return usual;
  return (await hasPlainStore(file)) ? usual : undefined;
}

/** Returns whether a configuration file says nothing about the database. */
async function hasPlainStore(file: string): Promise<boolean> {
  const { parse } = await import("yaml");
  try {
    const content: unknown = parse(readFileSync(file, "utf8"));
    return isJsonObject(content) && content.store === undefined;
  } catch {
    return false;
  }
}

/** Number of recent sessions to search. */
const LATEST = 200;

/** Reads the named session, or the most recent main thread if none is named. */
async function readSession({ events }: Store, session: string | undefined): Promise<SessionStatus | undefined> {
  const summaries = await events.sessions({ limit: LATEST, ...(session === undefined && { parent: "" }) });
  const id = session ?? summaries.find(({ requests, errors }) => requests > errors)?.session;
  if (id === undefined) return undefined;
  const answered = await events.requests({ session: id, limit: LATEST, hasFailed: false });
  const last = answered.find(({ action }) => action !== "aside");
  const { condensations = 0, costUsd = 0, savedUsd = 0 } = summaries.find((each) => each.session === id) ?? {};
  const promptTokens = last === undefined ? 0 : last.inputTokens + last.cacheReadTokens + last.cacheWriteTokens;
  return last && { ...last, promptTokens, condensations, costUsd, savedUsd };
}

const CELLS = 10;
const NEARLY_FULL = 0.8;

function formatStatus(status: SessionStatus, { good, bad, dim }: Style): string {
  const { windowTokens, originalTokens, condensations, costUsd, savedUsd } = status;
  const tokens = status.sentTokens || status.promptTokens;
  const share = windowTokens === 0 ? 0 : Math.min(1, tokens / windowTokens);
  const full = Math.round(CELLS * share);
  const bar = `${"▰".repeat(full)}${"▱".repeat(CELLS - full)} ${formatPercent(share)}`;
  const window = windowTokens === 0 ? "" : ` ${dim(`of ${formatThousands(windowTokens)}`)}`;
  const parts = [
    `${share >= NEARLY_FULL ? bad(bar) : good(bar)}${window}`,
    ...(originalTokens > tokens ? [`${formatThousands(originalTokens)} → ${formatThousands(tokens)}`] : []),
    ...(condensations > 0 ? [`condensed ${formatTimes(condensations)}`] : []),
    ...(costUsd > 0 ? [formatUsd(costUsd, 2)] : []),
    ...(Math.abs(savedUsd) >= 0.005 ? [describeSaving(savedUsd)] : []),
  ];
  return parts.join(" · ");
}

function formatTimes(count: number): string {
  return count === 1 ? "once" : `${formatCount(count)} times`;
}

function describeSaving(usd: number): string {
  return usd < 0 ? `extra cost ${formatUsd(-usd, 2)}` : `saved ${formatUsd(usd, 2)}`;
}

function formatThousands(tokens: number): string {
  return tokens >= 1_000_000
    ? `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`
    : `${Math.round(tokens / 1_000)}k`;
}
