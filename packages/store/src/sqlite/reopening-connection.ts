import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import { type ConnectionOptions, openConnection, type SqliteConnection } from "./connection.ts";

/** A connection that follows its path: where another file stands there, or none, what is asked goes to that, or to a new one. */
export interface ReopeningConnection extends SqliteConnection {
  /** Looks whether the file is still there, where it was not done a moment ago. To be called between transactions; never rejects. */
  reopenIfReplaced(): Promise<void>;
}

/** What a lasting connection takes from outside. */
interface ReopeningOptions extends ConnectionOptions {
  /** Makes a database usable, or throws why it cannot be used. */
  readonly prepare: (connection: SqliteConnection) => Promise<void>;
  /** Told when another file is used from now on. */
  readonly onReplaced: (change: FileChange) => void;
  readonly checkIntervalMs: number;
}

/** What became of a file that was in use: nothing stood at its path any more, or another one. */
export type FileChange = "removed" | "replaced";

/** A path at which nothing is kept. */
export const IN_MEMORY = ":memory:";

/** Opens the file at a path, made where it is absent; what is in memory always lasts. */
export async function openReopeningConnection(options: ReopeningOptions): Promise<ReopeningConnection> {
  const { path, checkIntervalMs, onReplaced } = options;
  let opened = await openPrepared(options);
  let failure: unknown;
  let checkedMs = performance.now();
  let isClosed = false;
  const replace = async (found: string | undefined) => {
    await flushAndRemoveLog(opened, path);
    const next = await openPrepared(options);
    const left = opened;
    opened = next;
    // SQLite leaves what stands at the path alone when it closes a file that is no longer there.
    await left.connection.close();
    onReplaced(found === undefined ? "removed" : "replaced");
  };
  return {
    async reopenIfReplaced() {
      if (isClosed || path === IN_MEMORY || performance.now() - checkedMs < checkIntervalMs) return;
      checkedMs = performance.now();
      // Who cannot tell goes on.
      const found = await fileIdentity(path).catch(() => opened.file);
      if (found === opened.file) return;
      failure = await replace(found).then(
        () => undefined,
        (error: unknown) => error,
      );
    },
    execute: (sql, parameters) =>
      failure === undefined || isClosed ? opened.connection.execute(sql, parameters) : Promise.reject(failure),
    async close() {
      isClosed = true;
      await opened.connection.close();
    },
  };
}

interface Opened {
  readonly connection: SqliteConnection;
  /** Which file it is; and the log beside it. */
  readonly file: string | undefined;
  readonly log: string | undefined;
}

async function openPrepared({ path, busyTimeoutMs, prepare }: ReopeningOptions): Promise<Opened> {
  if (path !== IN_MEMORY) createDatabaseFile(path);
  const file = await fileIdentity(path);
  const connection = await openConnection({ path, busyTimeoutMs });
  try {
    await prepare(connection);
    // SQLite opens the log with the first read. One that it opened later might be that of another file at the path.
    await connection.execute("select count(*) from sqlite_schema", []);
    return { connection, file, log: await fileIdentity(`${path}-wal`) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Writes what is still in the log into the file that it belongs to, wherever that is now, and takes a log that was left at the path away:
 * it would be read into the file that has come there.
 */
async function flushAndRemoveLog({ connection, log }: Opened, path: string): Promise<void> {
  await connection.execute("pragma wal_checkpoint(truncate)", []).catch(() => {});
  if (log === undefined || (await fileIdentity(`${path}-wal`)) !== log) return;
  for (const ending of ["-wal", "-shm"]) await rm(path + ending, { force: true });
}

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Makes the file and its folders where they are absent, for their owner alone; what is there keeps its permissions. */
export function createDatabaseFile(path: string): void {
  try {
    createFolder(dirname(path));
    createFile(path);
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
function createFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new Error(`${path} is not a folder`);
  createFolder(dirname(path));
  ignoreExisting(() => mkdirSync(path, { mode: OWNER_ONLY_FOLDER }));
}

/** A file that is there is never opened: closing it would drop the locks of SQLite in this process (https://sqlite.org/howtocorrupt.html). */
function createFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it is not a file");
  ignoreExisting(() => closeSync(openSync(path, "wx", OWNER_ONLY_FILE)));
}

function ignoreExisting(make: () => void): void {
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
