import { statSync } from "node:fs";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { analyzeFiles, findLogs, type LogFile } from "../analyze/analyze.ts";
import { totalsOf } from "../analyze/totals.ts";
import { DEFAULT_STRATEGY } from "../terminal/options.ts";
import { formatPercent } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { FoundClient } from "./detect.ts";

/** Limits that keep the analysis to a few seconds. */
const MAX_SESSIONS = 20;
const MAX_BYTES = 24_000_000;
/** Shorter logs are mostly aborted sessions. */
const MIN_BYTES = 2_000;
const STRATEGY = DEFAULT_STRATEGY;

/** Returns one line about the newest session logs: their cost, and the saving with the default strategy. Empty without logs. */
export async function describeLogs(clients: readonly FoundClient[], terminal: Terminal): Promise<string> {
  const folders = clients.flatMap(({ logs }) => logs ?? []);
  const files = newestOf(folders.flatMap((folder) => logsIn(folder, terminal)));
  if (files.length === 0) return "";
  const { sessions } = await analyzeFiles(files, { strategies: [STRATEGY] }, terminal);
  const { costUsd, strategies, pricedSessions } = totalsOf(sessions);
  if (costUsd === null || costUsd === 0) return "";
  const { savedUsd, condensations = 0 } = strategies[0] ?? {};
  const isOne = pricedSessions === 1;
  const them = isOne ? "it" : "them";
  const unchanged =
    condensations > 0
      ? `\`${STRATEGY}\` would not have made ${them} cheaper, but kept ${them} inside the window`
      : `${isOne ? "it fits the window and repeats" : "they fit the window and repeat"} little, so \`${STRATEGY}\` would not have changed ${them}`;
  const saving =
    savedUsd && savedUsd > 0
      ? `\`${STRATEGY}\` would have saved ${formatUsd(savedUsd)} (${formatPercent(savedUsd / costUsd)})`
      : unchanged;
  const newest = isOne ? "newest session" : `${formatCount(pricedSessions)} newest sessions`;
  return `Your ${newest} cost ${formatUsd(costUsd)} at list prices; ${saving}. Details: \`longhaul analyze\`\n`;
}

function logsIn(folder: string, terminal: Terminal): LogFile[] {
  try {
    return findLogs([folder], terminal);
  } catch {
    return [];
  }
}

function newestOf(files: readonly LogFile[]): LogFile[] {
  const dated = files
    .filter(({ bytes }) => bytes >= MIN_BYTES)
    .map((file) => ({ file, atMs: statSync(file.path).mtimeMs }))
    .sort((a, b) => b.atMs - a.atMs);
  const chosen: LogFile[] = [];
  let bytes = 0;
  for (const { file } of dated.slice(0, MAX_SESSIONS)) {
    bytes += file.bytes;
    if (bytes <= MAX_BYTES) chosen.push(file);
  }
  return chosen;
}
