import { rm } from "node:fs/promises";
import { type ConnectionOptions, openConnection, type SqliteConnection } from "./connection.ts";
import { fileIdentity, makeDatabaseFile } from "./database-file.ts";

/** A connection that follows its path: where another file stands there, or none, what is asked goes to that, or to a new one. */
export interface LastingConnection extends SqliteConnection {
  /** Looks whether the file is still there, where it was not done a moment ago. To be called between transactions; never rejects. */
  settle(): Promise<void>;
}

/** What a lasting connection takes from outside. */
interface LastingOptions extends ConnectionOptions {
  /** Makes a database usable, or throws why it cannot be used. */
  readonly prepare: (connection: SqliteConnection) => Promise<void>;
  /** Told when another file is used from now on. */
  readonly onReplaced: (how: Replaced) => void;
  readonly lookEveryMs: number;
}

/** What became of a file that was in use: nothing stood at its path any more, or another one. */
export type Replaced = "removed" | "replaced";

/** A path at which nothing is kept. */
export const IN_MEMORY = ":memory:";

/** Opens the file at a path, made where it is absent; what is in memory always lasts. */
export async function openLastingConnection(options: LastingOptions): Promise<LastingConnection> {
  const { path, lookEveryMs, onReplaced } = options;
  let opened = await openPrepared(options);
  let failure: unknown;
  let lookedMs = performance.now();
  let isClosed = false;
  const replace = async (found: string | undefined) => {
    await leaveBehind(opened, path);
    const next = await openPrepared(options);
    const left = opened;
    opened = next;
    // SQLite leaves what stands at the path alone when it closes a file that is no longer there.
    await left.connection.close();
    onReplaced(found === undefined ? "removed" : "replaced");
  };
  return {
    async settle() {
      if (isClosed || path === IN_MEMORY || performance.now() - lookedMs < lookEveryMs) return;
      lookedMs = performance.now();
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

async function openPrepared({ path, busyTimeoutMs, prepare }: LastingOptions): Promise<Opened> {
  if (path !== IN_MEMORY) makeDatabaseFile(path);
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
async function leaveBehind({ connection, log }: Opened, path: string): Promise<void> {
  await connection.execute("pragma wal_checkpoint(truncate)", []).catch(() => {});
  if (log === undefined || (await fileIdentity(`${path}-wal`)) !== log) return;
  for (const ending of ["-wal", "-shm"]) await rm(path + ending, { force: true });
}
