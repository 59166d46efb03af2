import { parentPort } from "node:worker_threads";
import { type ErrorCode, LonghaulError } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { sha256 } from "../known-messages.ts";
import { openJobs } from "./do-job.ts";
import type { Failure, FromThread, Question, Told, ToThread } from "./messages.ts";

const doJob = openJobs(makeTokenCounters({ hash: sha256 }));
const waiting = new Map<number, (told: Told | Failure) => void>();
let lastCall = 0;

function say(message: FromThread): void {
  parentPort?.postMessage(message);
}

function ask(id: number, question: Question): Promise<Told> {
  const call = ++lastCall;
  return new Promise((resolve, reject) => {
    waiting.set(call, (told) => {
      if ("code" in told) reject(new LonghaulError(told.code, told.message));
      else resolve(told);
    });
    say({ kind: "question", id, call, question });
  });
}

function failureOf(error: unknown): Failure {
  const code: ErrorCode = error instanceof LonghaulError ? error.code : "internal.bug";
  return { code, message: error instanceof Error ? error.message : String(error) };
}

parentPort?.on("message", (message: ToThread) => {
  const { id } = message;
  if (message.kind === "told") {
    waiting.get(message.call)?.(message.told);
    waiting.delete(message.call);
    return;
  }
  doJob(message.job, (question) => ask(id, question)).then(
    (done) => say({ kind: "done", id, done }),
    (error: unknown) => say({ kind: "failed", id, failure: failureOf(error) }),
  );
});
