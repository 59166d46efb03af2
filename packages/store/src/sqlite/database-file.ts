import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { LonghaulError } from "@longhaul/conversation";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Makes the file and its folders where they are absent, for their owner alone; what is there keeps its permissions. */
export function makeDatabaseFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    makeFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LonghaulError(
      "store.unavailable",
      `the database ${path} cannot be made: ${reason}; allow it, or name another file`,
      { cause: error },
    );
  }
}

/** A file that is there is never opened: closing it would drop the locks of SQLite in this process (https://sqlite.org/howtocorrupt.html). */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", OWNER_ONLY_FILE));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
