import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LonghaulError } from "@longhaul/conversation";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Makes the file and its folders where they are absent, for their owner alone; what is there keeps its permissions. Returns the whole path.
 */
export function makeDatabaseFile(path: string): string {
  const whole = resolve(path);
  try {
    mkdirSync(dirname(whole), { recursive: true, mode: OWNER_ONLY_FOLDER });
    // Exclusively: closing a file that SQLite has open elsewhere in this process would drop its locks (https://sqlite.org/howtocorrupt.html).
    closeSync(openSync(whole, "wx", OWNER_ONLY_FILE));
  } catch (error) {
    if (!isExisting(error)) throw refusal(whole, error);
  }
  return whole;
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function refusal(path: string, cause: unknown): LonghaulError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LonghaulError(
    "store.unavailable",
    `the database ${path} cannot be made: ${reason}; allow it, or name another file`,
    { cause },
  );
}
