import { parentPort, Worker } from "node:worker_threads";
import { type ErrorCode, LonghaulError } from "@longhaul/conversation";
import { threadData } from "./strategy-modules.ts";

/** The messages of a thread: its jobs, their questions, the answers, and the results. */
export interface WorkerProtocol {
  readonly job: unknown;
  readonly question: unknown;
  readonly answer: unknown;
  readonly done: unknown;
}

/** An error in a form that can be sent between threads. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Messages to a thread. `call` is the number of the question that is answered or refused. */
export type ToThread<T extends WorkerProtocol> =
  | { readonly kind: "start"; readonly id: number; readonly job: T["job"] }
  | { readonly kind: "answer"; readonly call: number; readonly answer: T["answer"] }
  | { readonly kind: "refused"; readonly call: number; readonly failure: Failure };

export type FromThread<T extends WorkerProtocol> =
  | { readonly kind: "question"; readonly id: number; readonly call: number; readonly question: T["question"] }
  | { readonly kind: "done"; readonly id: number; readonly done: T["done"] }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure };

/** Answers a job's question. */
export type AnswerQuestion<T extends WorkerProtocol> = (question: T["question"]) => Promise<T["answer"]>;

interface Waiting<T extends WorkerProtocol> {
  readonly answer: AnswerQuestion<T>;
  readonly resolve: (done: T["done"]) => void;
  readonly reject: (error: unknown) => void;
}

interface ThreadOptions {
  /** The program that it runs with `serveJobs`. */
  readonly program: URL;
  /** Its purpose, for error messages. */
  readonly purpose: string;
  /** Called when it accepts no more jobs. */
  readonly onStop: () => void;
}

/** A thread that runs jobs and does not keep the process alive. When it stops, its jobs are rejected. */
export class Thread<T extends WorkerProtocol> {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, Waiting<T>>();
  #lastId = 0;

  constructor({ program, purpose, onStop }: ThreadOptions) {
    const stop = (cause: unknown) => {
      onStop();
      const error = new LonghaulError("internal.bug", `the thread for ${purpose} has stopped`, { cause });
      for (const { reject } of this.#jobs.values()) reject(error);
      this.#jobs.clear();
    };
    this.#worker = new Worker(program, { workerData: threadData() });
    this.#worker.on("message", (message: FromThread<T>) => this.#take(message));
    this.#worker.on("error", stop);
    this.#worker.on("exit", stop);
    this.#worker.unref();
  }

  /** The number of running jobs. */
  get size(): number {
    return this.#jobs.size;
  }

  /**
   * Runs a job. If one of its questions is refused, it fails at once with that error. Memory in `given` is transferred to the thread and
   * cannot be used here any more.
   */
  run(job: T["job"], answer: AnswerQuestion<T>, given: readonly ArrayBuffer[] = []): Promise<T["done"]> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { answer, resolve, reject });
      this.#worker.postMessage({ kind: "start", id, job } satisfies ToThread<T>, [...given]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #take(message: FromThread<T>): void {
    const waiting = this.#jobs.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === "question") return void this.#answer(message, waiting);
    this.#jobs.delete(message.id);
    if (message.kind === "done") waiting.resolve(message.done);
    else waiting.reject(new LonghaulError(message.failure.code, message.failure.message));
  }

  async #answer(
    { id, call, question }: Extract<FromThread<T>, { readonly kind: "question" }>,
    { answer, reject }: Waiting<T>,
  ): Promise<void> {
    try {
      this.#post({ kind: "answer", call, answer: await answer(question) });
    } catch (error) {
      this.#jobs.delete(id);
      reject(error);
      this.#post({ kind: "refused", call, failure: failureOf(error) });
    }
  }

  #post(message: ToThread<T>): void {
    this.#worker.postMessage(message);
  }
}

export function failureOf(error: unknown): Failure {
  const code: ErrorCode = error instanceof LonghaulError ? error.code : "internal.bug";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

/** A thread that starts when it is first needed, and again after it has stopped. */
export interface KeptThread<T extends WorkerProtocol> {
  /** Returns the running thread, starting one if needed. */
  running(): Thread<T>;
  size(): number;
  /** Ends the thread if it runs. */
  close(): Promise<void>;
}

/** Keeps a thread for a program. */
export function keepThread<T extends WorkerProtocol>(program: URL, purpose: string): KeptThread<T> {
  let kept: Thread<T> | undefined;
  const start = (): Thread<T> => {
    const started: Thread<T> = new Thread({
      program,
      purpose,
      onStop: () => {
        if (kept === started) kept = undefined;
      },
    });
    return started;
  };
  return {
    running: () => {
      kept ??= start();
      return kept;
    },
    size: () => kept?.size ?? 0,
    close: async () => {
      const left = kept;
      kept = undefined;
      await left?.close();
    },
  };
}

interface Call<T extends WorkerProtocol> {
  readonly resolve: (answer: T["answer"]) => void;
  readonly reject: (error: LonghaulError) => void;
}

/** Runs the jobs that a `Thread` posts, inside that thread. Memory listed by `givenOf` is transferred back. */
export function serveJobs<T extends WorkerProtocol>(
  doJob: (job: T["job"], ask: AnswerQuestion<T>) => Promise<T["done"]>,
  givenOf: (done: T["done"]) => readonly ArrayBuffer[] = () => [],
): void {
  const calls = new Map<number, Call<T>>();
  let lastCall = 0;
  const post = (message: FromThread<T>, given: readonly ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, [...given]);
  const askFor = (id: number) => (question: T["question"]) => {
    const call = ++lastCall;
    return new Promise<T["answer"]>((resolve, reject) => {
      calls.set(call, { resolve, reject });
      post({ kind: "question", id, call, question });
    });
  };
  parentPort?.on("message", (message: ToThread<T>) => {
    if (message.kind === "start") {
      const { id, job } = message;
      doJob(job, askFor(id)).then(
        (done) => post({ kind: "done", id, done }, givenOf(done)),
        (error: unknown) => post({ kind: "failed", id, failure: failureOf(error) }),
      );
      return;
    }
    const call = calls.get(message.call);
    calls.delete(message.call);
    if (message.kind === "answer") call?.resolve(message.answer);
    else call?.reject(new LonghaulError(message.failure.code, message.failure.message));
  });
}
