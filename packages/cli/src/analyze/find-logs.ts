import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import { reasonOf } from "../read-input.ts";

/** A file that may be a log. */
export interface LogFile {
  readonly path: string;
  /** As it is called to the user. */
  readonly name: string;
  /** Whether the user named it; else it was found in a folder, where other files may lie, too. */
  readonly isNamed: boolean;
  readonly bytes: number;
}

const LOG_NAME = /\.jsonl?$/i;
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Finds the files that a user means: those that are named, and every `.json` and `.jsonl` in the folders that are named. */
export function findLogs(paths: readonly string[], folder: string): LogFile[] {
  const found = paths.flatMap((name) => {
    const path = resolve(folder, name);
    return statOf(path, name).isDirectory() ? logsIn(path, name) : [logFile(path, name, true)];
  });
  const seen = new Set<string>();
  return found.filter(({ path }) => !seen.has(path) && seen.add(path));
}

function logsIn(path: string, name: string): LogFile[] {
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const inner = { path: join(path, entry.name), name: join(name, entry.name) };
    if (entry.isDirectory()) return PASSED_OVER.has(entry.name) ? [] : logsIn(inner.path, inner.name);
    return entry.isFile() && LOG_NAME.test(entry.name) ? [logFile(inner.path, inner.name, false)] : [];
  });
}

function logFile(path: string, name: string, isNamed: boolean): LogFile {
  return { path, name, isNamed, bytes: statOf(path, name).size };
}

function statOf(path: string, name: string) {
  try {
    return statSync(path);
  } catch (cause) {
    throw new LonghaulError("log.unreadable", `${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
