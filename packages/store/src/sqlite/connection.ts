import type { SQLInputValue } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { LonghaulError } from "@longhaul/conversation";
import type { Executed } from "./statements.ts";

/** A SQLite database. Errors of SQLite become `LonghaulError`s. */
export interface SqliteConnection {
  /** Only the query knows the type of its rows. */
  execute(sql: string, parameters: readonly SQLInputValue[]): Promise<Executed<never>>;
  /** Finishes earlier statements first. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
}

/** Idle threads, kept for reuse: starting one takes longer than most databases are ever in use. */
const idle: DatabaseThread[] = [];
const MAX_IDLE = 2;

export async function openConnection({ path, busyTimeoutMs }: ConnectionOptions): Promise<SqliteConnection> {
  const thread = idle.pop() ?? new DatabaseThread();
  const send = async (command: WorkerCommand) => {
    try {
      return await thread.send(command);
    } catch (error) {
      throw thread.isStopped ? stoppedError(path, error) : toStoreError(error, path);
    }
  };
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await thread.send({ kind: "close" }).catch(() => {});
    if (!thread.isStopped && idle.length < MAX_IDLE) idle.push(thread);
    else await thread.stop();
  };
  await send({ kind: "open", path, busyTimeoutMs }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    execute: (sql, parameters) =>
      isClosed
        ? Promise.reject(new LonghaulError("store.unavailable", `the database ${path} is closed`))
        : send({ kind: "execute", sql, parameters }),
    close,
  };
}

function stoppedError(path: string, cause: unknown): LonghaulError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new LonghaulError("store.unavailable", `the database ${path} is unavailable: ${why}; restart Longhaul`, {
    cause,
  });
}

/** A thread for one database at a time. It keeps the process alive only while requests are pending. */
export class DatabaseThread {
  // Node 22 warns that SQLite is experimental; other warnings still appear.
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  readonly #waiting = new Map<
    number,
    { resolve: (executed: Executed<never>) => void; reject: (error: unknown) => void }
  >();
  #lastId = 0;
  #stopped: Error | undefined;

  constructor() {
    this.#worker.on("message", (message: WorkerResponse<never>) => this.#take(message));
    this.#worker.on("error", (cause) => this.#stop(new Error("its thread has failed", { cause })));
    this.#worker.on("exit", () => this.#stop(new Error("its thread has stopped")));
    this.#worker.unref();
  }

  /** Runs commands in order. Rejects with the error of Node or SQLite. */
  send(command: WorkerCommand): Promise<Executed<never>> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...command, id });
    });
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: WorkerResponse<never>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.kind === "done") waiting?.resolve(message.executed);
    else waiting?.reject(Object.assign(new Error(message.failure.message), message.failure));
  }

  #stop(why: Error): void {
    this.#stopped ??= why;
    for (const { reject } of this.#waiting.values()) reject(this.#stopped);
    this.#waiting.clear();
  }
}

export type WorkerCommand =
  | { readonly kind: "open"; readonly path: string; readonly busyTimeoutMs: number }
  | { readonly kind: "execute"; readonly sql: string; readonly parameters: readonly SQLInputValue[] }
  | { readonly kind: "close" };

export type WorkerRequest = WorkerCommand & { readonly id: number };

export type WorkerResponse<Row> = { readonly id: number } & (
  | { readonly kind: "done"; readonly executed: Executed<Row> }
  | { readonly kind: "failed"; readonly failure: WorkerFailure }
);

/** An error of Node or SQLite. Threads pass on only the message of an error object. */
export interface WorkerFailure {
  readonly message: string;
  readonly code?: unknown;
  readonly errcode?: unknown;
}

/** SQLite result codes (https://sqlite.org/rescode.html); the low byte of an extended code is the primary one. */
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
const PRIMARY_CODE = 0xff;

/** Turns errors of SQLite into `LonghaulError`s; others pass through. */
export function toStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "ERR_INVALID_STATE") {
    return new LonghaulError("store.unavailable", `the database ${path} is closed`, { cause: error });
  }
  if (error.code !== "ERR_SQLITE_ERROR" || !("errcode" in error)) return error;
  const code = Number(error.errcode) & PRIMARY_CODE;
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) return damagedError(path, error.message, error);
  return new LonghaulError(
    "store.unavailable",
    `the database ${path} is unavailable: ${error.message}; check the disk, the file's permissions and which other programs have it open`,
    { cause: error },
  );
}

export function damagedError(path: string, reason: string, cause?: unknown): LonghaulError {
  return new LonghaulError(
    "store.damaged",
    `the database ${path} cannot be used: ${reason}. Nothing was written to it. Move it aside together with its -wal and -shm files, then restore a backup or start with a new file`,
    { cause },
  );
}
