import { Worker } from "node:worker_threads";
import { LonghaulError } from "@longhaul/conversation";
import type { Done, Failure, FromThread, Job, Question, Told, ToThread } from "./messages.ts";

/** Answers what a job needs to know. */
export type AnswerQuestion = (question: Question) => Promise<Told>;

interface Waiting {
  readonly answer: AnswerQuestion;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: LonghaulError) => void;
}

/** A thread that does jobs of previews, and keeps no process alive. What it is at when it stops is rejected. */
export class PreviewThread {
  readonly #worker = new Worker(new URL("./worker.ts", import.meta.url));
  readonly #jobs = new Map<number, Waiting>();
  #lastId = 0;

  /** Starts it. `onStop` is called when it takes nothing any more. */
  constructor(onStop: () => void) {
    const stop = (cause: unknown) => {
      onStop();
      const error = new LonghaulError("internal.bug", "the thread for previews has stopped", { cause });
      for (const { reject } of this.#jobs.values()) reject(error);
      this.#jobs.clear();
    };
    this.#worker.on("message", (message: FromThread) => this.#take(message));
    this.#worker.on("error", stop);
    this.#worker.on("exit", stop);
    this.#worker.unref();
  }

  /** How many jobs are under way. */
  get size(): number {
    return this.#jobs.size;
  }

  run(job: Job, answer: AnswerQuestion): Promise<Done> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { answer, resolve, reject });
      this.#post({ kind: "start", id, job });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromThread): void {
    const { id } = message;
    const waiting = this.#jobs.get(id);
    if (waiting === undefined) return;
    if (message.kind === "question") {
      const tell = (told: Told | Failure) => this.#post({ kind: "told", id, call: message.call, told });
      waiting.answer(message.question).then(tell, (error: unknown) => tell(failureOf(error)));
      return;
    }
    this.#jobs.delete(id);
    if (message.kind === "done") waiting.resolve(message.done);
    else waiting.reject(new LonghaulError(message.failure.code, message.failure.message));
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof LonghaulError) return { code: error.code, message: error.message };
  return { code: "internal.bug", message: error instanceof Error ? error.message : String(error) };
}
