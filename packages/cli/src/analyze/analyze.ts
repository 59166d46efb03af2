import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { analyzeSession, type SessionAnalysis } from "@longhaul/admin/replays";
import { STRATEGIES } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import { openModels, readLog, type SessionModels } from "../logs/read-session.ts";
import { openProgress, pluralize, printJson, printWarnings, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf, type UserFile, userFile, writeText } from "../terminal/user-file.ts";
import { describeAnalysis } from "./describe-analysis.ts";
import { htmlReport } from "./html-report.ts";
import { totalsOf } from "./totals.ts";

export interface AnalyzeFlags {
  readonly strategies?: readonly string[];
  readonly window?: number;
  readonly model?: string;
  readonly details?: true;
  readonly json?: true;
  readonly html?: string;
}

export async function analyze(paths: readonly string[], flags: AnalyzeFlags, terminal: Terminal): Promise<void> {
  const { sessions, skipped } = await analyzeFiles(findLogs(paths, terminal), flags, terminal);
  if (sessions.length === 0) throw nothingToRead(paths, skipped);
  const style = styleOf(terminal);
  if (flags.html !== undefined) writeText(userFile(flags.html, terminal), htmlReport(sessions));
  if (flags.json === true) return printJson({ sessions, totals: totalsOf(sessions), skipped }, terminal);
  terminal.write(describeAnalysis(sessions, style, flags.details === true));
  const named = skipped.filter(({ isNamed }) => isNamed);
  printWarnings(
    named.map(({ why }) => why),
    terminal,
  );
  const others = skipped.length - named.length;
  if (others > 0) terminal.write(`Skipped ${pluralize(others, "file")} in these folders: not session logs.\n`);
  if (flags.html !== undefined) terminal.write(`Report written to ${flags.html}.\n`);
}

interface Skipped {
  readonly file: string;
  readonly why: string;
  /** Whether the user named this file, not only its folder. */
  readonly isNamed: boolean;
}

export async function analyzeFiles(files: readonly LogFile[], flags: AnalyzeFlags, terminal: Terminal) {
  const models = openModels();
  const progress = openProgress(terminal);
  const sessions: SessionAnalysis[] = [];
  const skipped: Skipped[] = [];
  const allBytes = files.reduce((total, { bytes }) => total + bytes, 0);
  let doneBytes = 0;
  for (const { path, name, bytes, isNamed } of files) {
    progress.show(doneBytes / Math.max(1, allBytes), name);
    const session = await analyzeFile({ path, name }, flags, models);
    if (typeof session === "string") skipped.push({ file: name, why: session, isNamed });
    else sessions.push(session);
    doneBytes += bytes;
  }
  progress.end();
  return { sessions, skipped };
}

async function analyzeFile(
  { path, name }: Pick<LogFile, "path" | "name">,
  flags: AnalyzeFlags,
  models: SessionModels,
): Promise<SessionAnalysis | string> {
  try {
    const { reading } = readLog({ path, name });
    const named = await models.modelOf(reading);
    const model =
      named.name === undefined && flags.model !== undefined ? await models.modelOf(reading, flags.model) : named;
    return analyzeSession(name, reading, { model, strategies: chosen(flags), windowTokens: flags.window });
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "log.unreadable") return error.message;
    throw error;
  }
}

/** By default, leaves out strategies that never change anything. */
function chosen({ strategies }: AnalyzeFlags) {
  return STRATEGIES.filter(({ id, isFinal }) =>
    strategies === undefined ? isFinal !== true : strategies.includes(id),
  );
}

function nothingToRead(paths: readonly string[], skipped: readonly Skipped[]): LonghaulError {
  if (paths.length === 0)
    return new LonghaulError(
      "log.unreadable",
      "found no logs of Claude Code, Codex or Gemini CLI on this machine; pass a session log or a folder of logs, for example `longhaul analyze session.jsonl`",
    );
  const [first] = skipped;
  const what = first === undefined ? `no .json or .jsonl file in ${paths.join(", ")}` : first.why;
  return new LonghaulError("log.unreadable", `nothing to analyze: ${what}`);
}

export interface LogFile extends UserFile {
  /** Whether the user named it; otherwise it was found in a folder, which may contain other files, too. */
  readonly isNamed: boolean;
  readonly bytes: number;
}

const LOG_NAME = /\.jsonl?$/i;
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", ".git"]);

export function findLogs(names: readonly string[], terminal: Pick<Terminal, "folder">): LogFile[] {
  const found = names.flatMap((name) => {
    const file = userFile(name, terminal);
    return readPath(file, (path) => statSync(path)).isDirectory() ? logsIn(file) : [logFile(file, true)];
  });
  const seen = new Set<string>();
  return found.filter(({ path }) => !seen.has(path) && seen.add(path));
}

function logsIn(folder: UserFile): LogFile[] {
  const entries = readPath(folder, (path) => readdirSync(path, { withFileTypes: true }));
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = { path: join(folder.path, entry.name), name: join(folder.name, entry.name) };
      if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : logsIn(inner);
      return entry.isFile() && LOG_NAME.test(entry.name) ? [logFile(inner, false)] : [];
    });
}

function logFile(file: UserFile, isNamed: boolean): LogFile {
  return { ...file, isNamed, bytes: readPath(file, (path) => statSync(path)).size };
}

function readPath<Seen>({ path, name }: UserFile, look: (path: string) => Seen): Seen {
  try {
    return look(path);
  } catch (cause) {
    throw new LonghaulError("log.unreadable", `cannot read ${name}: ${reasonOf(cause)}`, { cause });
  }
}
