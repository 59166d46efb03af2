import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { LonghaulError } from "@longhaul/conversation";

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Makes the file and its folders where they are absent, for their owner alone; what is there keeps its permissions. */
export function makeDatabaseFile(path: string): void {
  try {
    makeFolder(dirname(path));
    makeFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LonghaulError(
      "store.unavailable",
      `the database ${path} cannot be created: ${reason}; fix that, or choose another file`,
      { cause: error },
    );
  }
}

/** Node's own recursive `mkdirSync` never returns if a folder exists but takes no folders, as /proc. */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new Error(`${path} is not a folder`);
  makeFolder(dirname(path));
  unlessThere(() => mkdirSync(path, { mode: OWNER_ONLY_FOLDER }));
}

/** A file that is there is never opened: closing it would drop the locks of SQLite in this process (https://sqlite.org/howtocorrupt.html). */
function makeFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it is not a file");
  unlessThere(() => closeSync(openSync(path, "wx", OWNER_ONLY_FILE)));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Tells files apart that stand at one path, one after the other, for as long as somebody has the earlier one open; absent where none stands there. */
export async function fileIdentity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}/${ino}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return;
    throw error;
  }
}
