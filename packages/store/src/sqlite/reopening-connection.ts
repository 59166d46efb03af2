import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import { type ConnectionOptions, openConnection, type SqliteConnection } from "./connection.ts";

/** A connection that follows its path: if the file is replaced or removed, it switches to the new file or creates one. */
export interface ReopeningConnection extends SqliteConnection {
  /** Checks, at most once per interval, whether the file is still the same. Call it between transactions; it never rejects. */
  reopenIfReplaced(): Promise<void>;
}

interface ReopeningOptions extends ConnectionOptions {
  readonly prepare: (connection: SqliteConnection) => Promise<void>;
  /** Called after the connection has switched to another file. */
  readonly onReplaced: (change: FileChange) => void;
  readonly checkIntervalMs: number;
}

/** Whether the path was empty or had another file. */
export type FileChange = "removed" | "replaced";

export const IN_MEMORY = ":memory:";

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
    // SQLite does not touch the file at the path when it closes one that is no longer there.
    await left.connection.close();
    onReplaced(found === undefined ? "removed" : "replaced");
  };
  return {
    async reopenIfReplaced() {
      if (isClosed || path === IN_MEMORY || performance.now() - checkedMs < checkIntervalMs) return;
      checkedMs = performance.now();
      // If the check fails, the current file stays in use.
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
  /** Identity of the file; `log` is that of its write-ahead log. */
  readonly file: string | undefined;
  readonly log: string | undefined;
}

async function openPrepared({ path, busyTimeoutMs, prepare }: ReopeningOptions): Promise<Opened> {
  if (path !== IN_MEMORY) createDatabaseFile(path);
  const file = await fileIdentity(path);
  const connection = await openConnection({ path, busyTimeoutMs });
  try {
    await prepare(connection);
    // SQLite opens the log with the first read. If it opened it later, it might get that of another file at the path.
    await connection.execute("select count(*) from sqlite_schema", []);
    return { connection, file, log: await fileIdentity(`${path}-wal`) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Writes the rest of the log to its file, and deletes a log left at the path, which SQLite would read into the new file. */
async function flushAndRemoveLog({ connection, log }: Opened, path: string): Promise<void> {
  await connection.execute("pragma wal_checkpoint(truncate)", []).catch(() => {});
  if (log === undefined || (await fileIdentity(`${path}-wal`)) !== log) return;
  for (const ending of ["-wal", "-shm"]) await rm(path + ending, { force: true });
}

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Creates the file and its folders if absent, for their owner only; existing ones keep their permissions. */
export function createDatabaseFile(path: string): void {
  try {
    createFolder(dirname(path));
    createFile(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LonghaulError(
      "store.unavailable",
      `the database ${path} cannot be created: ${reason}; fix this, or use another file`,
      { cause: error },
    );
  }
}

/** Node's recursive `mkdirSync` never returns if an existing folder accepts no subfolders, such as /proc. */
function createFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (found !== undefined) throw new Error(`${path} is not a folder`);
  createFolder(dirname(path));
  ignoreExisting(() => mkdirSync(path, { mode: OWNER_ONLY_FOLDER }));
}

/** Never opens an existing file: closing it would drop this process's SQLite locks (https://sqlite.org/howtocorrupt.html). */
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

/** Identifies the file at a path, for as long as the file is open; `undefined` if there is none. */
export async function fileIdentity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}/${ino}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return;
    throw error;
  }
}
