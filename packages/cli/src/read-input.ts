import { readFileSync, statSync } from "node:fs";
import { LonghaulError } from "@longhaul/conversation";
import { type OpenedLog, openLog, openLogLines } from "@longhaul/logs";
import { linesIn } from "./lines-in.ts";

/** Longer files are read line by line, so that they are never held as a whole; most such files are logs with a line for each event. */
const LONG_BYTES = 32 * 1024 * 1024;

/** Reads a file as a session log, whatever format it has. What is wrong with it is said with the name that the user gave it. */
export function readInput(path: string, name = path, longBytes = LONG_BYTES): OpenedLog {
  try {
    const isLong = statSync(path).size > longBytes;
    return (isLong ? openLogLines(linesIn(path)) : undefined) ?? openLog(readFileSync(path, "utf8"));
  } catch (cause) {
    if (cause instanceof LonghaulError) throw new LonghaulError(cause.code, `${name}: ${cause.message}`, { cause });
    throw new LonghaulError("log.unreadable", `${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** Why a file could not be read or written, for people. */
export function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file; check its path",
  EISDIR: "it is a folder; name a file in it, or give the folder to analyze",
  EACCES: "its permissions do not allow it",
  ERR_STRING_TOO_LONG: "it is one JSON document of over 512 MB, more than can be read at once",
};
