import { hash } from "node:crypto";
import { closeSync, type Dirent, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import { readLog, titleOf } from "@longhaul/logs";

/** A session log that another tool has written on this machine. */
export interface LocalLog {
  /** Hash of its path, so that a client can name only logs that are listed. */
  readonly id: string;
  readonly title: string;
  readonly client: string;
  readonly bytes: number;
  readonly changedAtMs: number;
}

/** Where tools keep their sessions, below the user's home folder. */
const FOLDERS: readonly { readonly client: string; readonly path: string }[] = [
  { client: "Claude Code", path: ".claude/projects" },
  { client: "Codex", path: ".codex/sessions" },
  { client: "Gemini CLI", path: ".gemini/tmp" },
  { client: "pi", path: ".pi/agent/sessions" },
];

const LOG_NAME = /\.jsonl?$/i;
const MAX_LOGS = 100;
/** A larger log would take too much memory to replay. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_DEPTH = 5;
const MAX_FILES = 20_000;

/** Lists the latest logs below a home folder. Links are not followed. */
export function listLogs(home: string): LocalLog[] {
  return findLogs(home)
    .slice(0, MAX_LOGS)
    .map(({ path, ...log }) => ({ ...log, id: idOf(path), title: titleIn(path) }));
}

/** Returns the text of a listed log. */
export function readLocalLog(home: string, id: string): string {
  const found = findLogs(home).find(({ path }) => idOf(path) === id);
  if (found === undefined) throw new LonghaulError("request.not-kept", `log "${id}" not found`);
  return readFileSync(found.path, "utf8");
}

interface FoundLog extends Omit<LocalLog, "id" | "title"> {
  readonly path: string;
}

function findLogs(home: string): FoundLog[] {
  const found = FOLDERS.flatMap(({ client, path }) =>
    filesIn(join(home, path), MAX_DEPTH).map((file) => ({ client, path: file })),
  );
  return found
    .slice(0, MAX_FILES)
    .flatMap((log) => {
      const stats = statSync(log.path, { throwIfNoEntry: false });
      return stats === undefined || stats.size === 0 || stats.size > MAX_BYTES
        ? []
        : [{ ...log, bytes: stats.size, changedAtMs: stats.mtimeMs }];
    })
    .sort((a, b) => b.changedAtMs - a.changedAtMs);
}

function filesIn(folder: string, depth: number): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth === 0 ? [] : filesIn(path, depth - 1);
    return entry.isFile() && LOG_NAME.test(entry.name) ? [path] : [];
  });
}

/** A folder that does not exist or may not be read is empty. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function idOf(path: string): string {
  return hash("sha256", path, "hex").slice(0, 32);
}

/** Enough for the first message of the user. */
const TITLE_BYTES = 128 * 1024;

/** Returns the same title as a session's, or the file's name if its beginning cannot be read alone. */
function titleIn(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  try {
    const beginning = beginningOf(path);
    const { conversation } = readLog(beginning.slice(0, beginning.lastIndexOf("\n") + 1) || beginning);
    return titleOf(conversation.messages) || name;
  } catch (error) {
    if (error instanceof LonghaulError) return name;
    throw error;
  }
}

function beginningOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(TITLE_BYTES);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, TITLE_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
