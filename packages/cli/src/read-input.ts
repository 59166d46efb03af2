import { readFileSync } from "node:fs";
import { LonghaulError } from "@longhaul/conversation";
import { type OpenedLog, openLog } from "@longhaul/logs";

/** Reads a file as a session log, whatever format it has. What is wrong with it is said with the name that the user gave it. */
export function readInput(path: string, name = path): OpenedLog {
  const text = readText(path, name);
  try {
    return openLog(text);
  } catch (cause) {
    if (!(cause instanceof LonghaulError)) throw cause;
    throw new LonghaulError(cause.code, `${name}: ${cause.message}`, { cause });
  }
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
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
  ERR_STRING_TOO_LONG: "it is over 512 MB, more than can be read at once; split it",
};
