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
    makeFile(whole);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LonghaulError(
      "store.unavailable",
      `the database ${whole} cannot be made: ${reason}; allow it, or name another file`,
      { cause: error },
    );
  }
  return whole;
}

/** A file that is there is never opened: closing it would drop the locks of SQLite in this process (https://sqlite.org/howtocorrupt.html). */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY_FILE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
