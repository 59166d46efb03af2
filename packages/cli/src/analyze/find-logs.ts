import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf, type UserFile, userFile } from "../terminal/user-file.ts";

/** A file that may be a log. */
export interface LogFile extends UserFile {
  /** Whether the user named it; else it was found in a folder, where other files may lie, too. */
  readonly isNamed: boolean;
  readonly bytes: number;
}

const LOG_NAME = /\.jsonl?$/i;
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Finds the files that a user means: those that are named, and every `.json` and `.jsonl` in the folders that are named. */
export function findLogs(names: readonly string[], terminal: Pick<Terminal, "folder">): LogFile[] {
  const found = names.flatMap((name) => {
    const file = userFile(name, terminal);
    return looking(file, (path) => statSync(path)).isDirectory() ? logsIn(file) : [logFile(file, true)];
  });
  const seen = new Set<string>();
  return found.filter(({ path }) => !seen.has(path) && seen.add(path));
}

function logsIn(folder: UserFile): LogFile[] {
  const entries = looking(folder, (path) => readdirSync(path, { withFileTypes: true }));
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = { path: join(folder.path, entry.name), name: join(folder.name, entry.name) };
      if (entry.isDirectory()) return PASSED_OVER.has(entry.name) ? [] : logsIn(inner);
      return entry.isFile() && LOG_NAME.test(entry.name) ? [logFile(inner, false)] : [];
    });
}

function logFile(file: UserFile, isNamed: boolean): LogFile {
  return { ...file, isNamed, bytes: looking(file, (path) => statSync(path)).size };
}

function looking<Seen>({ path, name }: UserFile, look: (path: string) => Seen): Seen {
  try {
    return look(path);
  } catch (cause) {
    throw new LonghaulError("log.unreadable", `${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
