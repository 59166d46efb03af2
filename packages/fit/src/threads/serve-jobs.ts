import { parentPort } from "node:worker_threads";
import { LonghaulError } from "@longhaul/conversation";
import {
  type AnswerQuestion,
  type Failure,
  type FromThread,
  failureOf,
  type ToThread,
  type WorkerProtocol,
} from "./thread.ts";

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
