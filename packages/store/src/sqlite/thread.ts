import { Worker } from "node:worker_threads";
import type { Failure, FromDatabase, ToDatabase } from "./messages.ts";
import type { Executed } from "./statements.ts";

/** What a thread is asked; it gives the number itself. */
export type Asked = ToDatabase extends infer Message
  ? Message extends ToDatabase
    ? Omit<Message, "id">
    : never
  : never;

/** A thread for one database at a time, which keeps no process alive except while something is asked of it. */
export class DatabaseThread {
  // Node 22 warns every user that its SQLite is experimental; nothing else in that thread is. Other warnings are still told.
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #stopped: Error | undefined;

  constructor() {
    this.#worker.on("message", (message: FromDatabase<never>) => this.#take(message));
    this.#worker.on("error", (cause) => this.#stop(new Error("its thread has failed", { cause })));
    this.#worker.on("exit", () => this.#stop(new Error("its thread has stopped")));
    this.#worker.unref();
  }

  /** Things are done in the order in which they are asked. Rejects with what Node or SQLite says. */
  ask(asked: Asked): Promise<Executed<never>> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...asked, id });
    });
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromDatabase<never>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (message.kind === "done") waiting?.resolve(message.executed);
    else waiting?.reject(revived(message.failure));
  }

  #stop(why: Error): void {
    this.#stopped ??= why;
    for (const { reject } of this.#waiting.values()) reject(this.#stopped);
    this.#waiting.clear();
  }
}

interface Waiting {
  readonly resolve: (executed: Executed<never>) => void;
  readonly reject: (error: unknown) => void;
}

function revived({ message, ...fields }: Failure): Error {
  return Object.assign(new Error(message), fields);
}
