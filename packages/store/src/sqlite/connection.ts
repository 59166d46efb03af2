import type { SQLInputValue } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation";
import { translated } from "./sqlite-error.ts";
import type { Executed } from "./statements.ts";
import { type Asked, DatabaseThread } from "./thread.ts";

/** A database, wherever its statements are carried out. What it refuses is said in our own words. */
export interface SqliteConnection {
  /** Only the query knows what its rows are. */
  execute(sql: string, parameters: readonly SQLInputValue[]): Promise<Executed<never>>;
  /** What was asked for before is done first. */
  close(): Promise<void>;
}

/** Where a database is, and how long to wait for others who write to it. */
export interface ConnectionOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

/** Threads that had a database: to start one takes longer than all that most databases are ever asked. */
const idle: DatabaseThread[] = [];
const MAX_IDLE = 2;

/** Opens a database in a thread of its own. */
export async function openConnection({ path, busyTimeoutMs }: ConnectionOptions): Promise<SqliteConnection> {
  const thread = idle.pop() ?? new DatabaseThread();
  const ask = async (asked: Asked) => {
    try {
      return await thread.ask(asked);
    } catch (error) {
      throw thread.isStopped ? stopped(path, error) : translated(error, path);
    }
  };
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await thread.ask({ kind: "close" }).catch(() => {});
    if (!thread.isStopped && idle.length < MAX_IDLE) idle.push(thread);
    else await thread.stop();
  };
  await ask({ kind: "open", path, busyTimeoutMs }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    execute: (sql, parameters) => (isClosed ? Promise.reject(closed(path)) : ask({ kind: "execute", sql, parameters })),
    close,
  };
}

function closed(path: string): LonghaulError {
  return new LonghaulError("store.unavailable", `the database ${path} is closed`);
}

function stopped(path: string, cause: unknown): LonghaulError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new LonghaulError("store.unavailable", `the database ${path} cannot be used: ${why}; start Longhaul again`, {
    cause,
  });
}
