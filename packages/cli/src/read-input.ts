import { readFileSync, statSync } from "node:fs";
import { LonghaulError } from "@longhaul/conversation";
import { type OpenedLog, openLog, openLogLines } from "@longhaul/logs";
import { linesIn } from "./lines-in.ts";
import { reasonOf, type UserFile } from "./user-file.ts";

/** Longer files are read line by line, so that they are never held as a whole; most such files are logs with a line for each event. */
const LONG_BYTES = 32 * 1024 * 1024;

const STANDARD_INPUT = 0;

/** Reads a file as a session log, whatever format it has; `-` is standard input. */
export function readInput({ path, name }: UserFile, longBytes = LONG_BYTES): OpenedLog {
  try {
    if (name === "-") return openLog(readFileSync(STANDARD_INPUT, "utf8"));
    const isLong = statSync(path).size > longBytes;
    return (isLong ? openLogLines(linesIn(path)) : undefined) ?? openLog(readFileSync(path, "utf8"));
  } catch (cause) {
    if (cause instanceof LonghaulError) throw new LonghaulError(cause.code, `${name}: ${cause.message}`, { cause });
    throw new LonghaulError("log.unreadable", `${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
