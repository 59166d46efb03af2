import { parentPort, Worker } from "node:worker_threads";
import { type ErrorCode, LonghaulError } from "@longhaul/conversation";

/** What is done in a thread: jobs, what they ask meanwhile, what they are told, and what they come to. */
export interface WorkerProtocol {
  readonly job: unknown;
  readonly question: unknown;
  readonly told: unknown;
  readonly done: unknown;
}

/** What went wrong, as it crosses between threads. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What the gateway says to a thread. `call` is the question that is answered, or refused. */
export type ToThread<T extends WorkerProtocol> =
  | { readonly kind: "start"; readonly id: number; readonly job: T["job"] }
  | { readonly kind: "told"; readonly call: number; readonly told: T["told"] }
  | { readonly kind: "refused"; readonly call: number; readonly failure: Failure };

/** What a thread says. */
export type FromThread<T extends WorkerProtocol> =
  | { readonly kind: "question"; readonly id: number; readonly call: number; readonly question: T["question"] }
  | { readonly kind: "done"; readonly id: number; readonly done: T["done"] }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure };

/** Answers what a job asks. */
export type AnswerQuestion<T extends WorkerProtocol> = (question: T["question"]) => Promise<T["told"]>;

interface Waiting<T extends WorkerProtocol> {
  readonly answer: AnswerQuestion<T>;
  readonly resolve: (done: T["done"]) => void;
  readonly reject: (error: unknown) => void;
}

interface ThreadOptions {
  /** What it runs, by `serveJobs`. */
  readonly program: URL;
  /** What it is there for. */
  readonly purpose: string;
  /** Called when it takes nothing any more. */
  readonly onStop: () => void;
}

/** A thread that does jobs, and keeps no process alive. What it is at when it stops is rejected. */
export class Thread<T extends WorkerProtocol> {
  readonly #worker: Worker;
  readonly #jobs = new Map<number, Waiting<T>>();
  #lastId = 0;

  /** Starts it. */
  constructor({ program, purpose, onStop }: ThreadOptions) {
    const stop = (cause: unknown) => {
      onStop();
      const error = new LonghaulError("internal.bug", `the thread for ${purpose} has stopped`, { cause });
      for (const { reject } of this.#jobs.values()) reject(error);
      this.#jobs.clear();
    };
    this.#worker = new Worker(program);
    this.#worker.on("message", (message: FromThread<T>) => this.#take(message));
    this.#worker.on("error", stop);
    this.#worker.on("exit", stop);
    this.#worker.unref();
  }

  /** How many jobs are under way. */
  get size(): number {
    return this.#jobs.size;
  }

  /**
   * Does a job. One whose question is refused fails at once, with the refusal itself. Memory in `given` goes to the thread without being
   * copied, and can't be used here any more.
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
      this.#post({ kind: "told", call, told: await answer(question) });
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

/** What went wrong, in a form that can cross. */
export function failureOf(error: unknown): Failure {
  const code: ErrorCode = error instanceof LonghaulError ? error.code : "internal.bug";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

/** A thread that is started when it is first needed, and again after it has stopped. */
export interface KeptThread<T extends WorkerProtocol> {
  /** The thread that runs, started where none does. */
  running(): Thread<T>;
  /** How many jobs are under way. */
  size(): number;
  /** Ends it, where it runs. */
  close(): Promise<void>;
}

/** Keeps a thread for what is done by a program. */
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
  readonly resolve: (told: T["told"]) => void;
  readonly reject: (error: LonghaulError) => void;
}

/** Within a thread: does the jobs that its `Thread` posts. Memory that `givenOf` lists goes back without being copied. */
export function serveJobs<T extends WorkerProtocol>(
  doJob: (job: T["job"], ask: AnswerQuestion<T>) => Promise<T["done"]>,
  givenOf: (done: T["done"]) => readonly ArrayBuffer[] = () => [],
): void {
  const calls = new Map<number, Call<T>>();
  let lastCall = 0;
  const say = (message: FromThread<T>, given: readonly ArrayBuffer[] = []) =>
    parentPort?.postMessage(message, [...given]);
  const askFor = (id: number) => (question: T["question"]) => {
    const call = ++lastCall;
    return new Promise<T["told"]>((resolve, reject) => {
      calls.set(call, { resolve, reject });
      say({ kind: "question", id, call, question });
    });
  };
  parentPort?.on("message", (message: ToThread<T>) => {
    if (message.kind === "start") {
      const { id, job } = message;
      doJob(job, askFor(id)).then(
        (done) => say({ kind: "done", id, done }, givenOf(done)),
        (error: unknown) => say({ kind: "failed", id, failure: failureOf(error) }),
      );
      return;
    }
    const call = calls.get(message.call);
    calls.delete(message.call);
    if (message.kind === "told") call?.resolve(message.told);
    else call?.reject(asError(message.failure));
  });
}

function asError({ code, message }: Failure): LonghaulError {
  return new LonghaulError(code, message);
}
