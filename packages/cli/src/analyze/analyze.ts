import { STRATEGIES } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import { formatCount } from "@longhaul/models/format";
import { readLog } from "../logs/read-input.ts";
import { openModels, type SessionModels } from "../logs/session-model.ts";
import { printJson, printWarnings } from "../terminal/print.ts";
import { styleOf } from "../terminal/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { userFile, writeText } from "../terminal/user-file.ts";
import { describeAnalysis } from "./describe-analysis.ts";
import { findLogs, type LogFile } from "./find-logs.ts";
import { htmlReport } from "./html-report.ts";
import { openProgress } from "./progress.ts";
import { analyzeSession, type SessionAnalysis } from "./session-analysis.ts";
import { totalsOf } from "./totals.ts";

/** The flags of `longhaul analyze`. */
export interface AnalyzeFlags {
  readonly strategies?: readonly string[];
  readonly window?: number;
  readonly model?: string;
  readonly details?: true;
  readonly json?: true;
  readonly html?: string;
}

/** Tells where the tokens of sessions went, and what each strategy would have saved. */
export async function analyze(paths: readonly string[], flags: AnalyzeFlags, terminal: Terminal): Promise<void> {
  const { sessions, skipped } = await analyzeFiles(findLogs(paths, terminal), flags, terminal);
  if (sessions.length === 0) throw nothingToRead(paths, skipped);
  const style = styleOf(terminal);
  if (flags.html !== undefined) writeText(userFile(flags.html, terminal), htmlReport(sessions));
  if (flags.json === true) {
    printJson({ sessions, totals: totalsOf(sessions), skipped }, terminal);
    return;
  }
  terminal.write(describeAnalysis(sessions, style, flags.details === true));
  const named = skipped.filter(({ isNamed }) => isNamed);
  printWarnings(
    named.map(({ why }) => why),
    terminal,
  );
  const others = skipped.length - named.length;
  if (others > 0) terminal.write(`${formatCount(others)} files in these folders are no session logs.\n`);
  if (flags.html !== undefined) terminal.write(`The report is in ${flags.html}.\n`);
}

interface Skipped {
  readonly file: string;
  readonly why: string;
  /** Whether the user named it. */
  readonly isNamed: boolean;
}

interface Analyzed {
  readonly sessions: readonly SessionAnalysis[];
  readonly skipped: readonly Skipped[];
}

async function analyzeFiles(files: readonly LogFile[], flags: AnalyzeFlags, terminal: Terminal): Promise<Analyzed> {
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

/** The analysis of a file, or why there is none. */
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

/** A strategy that leaves everything as it is saves nothing. */
function chosen({ strategies }: AnalyzeFlags) {
  return STRATEGIES.filter(({ id, isFinal }) =>
    strategies === undefined ? isFinal !== true : strategies.includes(id),
  );
}

function nothingToRead(paths: readonly string[], skipped: readonly Skipped[]): LonghaulError {
  const [first] = skipped;
  const what = first === undefined ? `there is no .json or .jsonl file in ${paths.join(", ")}` : first.why;
  return new LonghaulError("log.unreadable", `nothing to analyze: ${what}`);
}
