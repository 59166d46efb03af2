import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import { type AnswerQuestion, keepThread } from "@longhaul/fit";
import type { CompareJob, EstimateJob, Job, JobResult, PreviewJob, PreviewProtocol, ReplayJob } from "./protocol.ts";

export type AnswerJob = AnswerQuestion<PreviewProtocol>;

/** Previews of condensing, on their own thread, so that they never delay requests. */
export type Previews = ReturnType<typeof openPreviews>;

/** An idle thread is stopped after this time to free its memory. */
const IDLE_MS = 5 * 60_000;

/** Opens previews; the thread starts with the first job. */
export function openPreviews(idleMs = IDLE_MS) {
  const thread = keepThread<PreviewProtocol>(new URL("./worker.ts", import.meta.url), "previews");
  let idle: NodeJS.Timeout | undefined;
  const stopIfIdle = () => {
    if (thread.size() === 0) void thread.close();
  };
  const run = async (job: Job, answer: AnswerJob): Promise<JobResult> => {
    clearTimeout(idle);
    try {
      return await thread.running().run(job, answer);
    } finally {
      clearTimeout(idle);
      idle = setTimeout(stopIfIdle, idleMs).unref();
    }
  };
  return {
    preview: async (job: PreviewJob, answer: AnswerJob) => {
      const done = await run(job, answer);
      return done.kind === "preview" ? done.answer : unexpectedResult(done);
    },
    estimate: async (job: EstimateJob, answer: AnswerJob) => {
      const done = await run(job, answer);
      return done.kind === "estimate" ? done.answer : unexpectedResult(done);
    },
    replay: async (job: ReplayJob, answer: AnswerJob) => {
      const done = await run(job, answer);
      return done.kind === "replay" ? done.answer : unexpectedResult(done);
    },
    compare: async (job: CompareJob) => {
      const done = await run(job, () =>
        Promise.reject(new LonghaulError("internal.bug", "a comparison asked a question")),
      );
      return done.kind === "compare" ? done.answer : unexpectedResult(done);
    },
    close: async () => {
      clearTimeout(idle);
      await thread.close();
    },
  };
}

function unexpectedResult({ kind }: JobResult): never {
  throw new LonghaulError("internal.bug", `unexpected result of kind ${kind}`);
}

const unzip = promisify(gunzip);

/** Larger than any request body. */
const MAX_BYTES = 512 * 1024 * 1024;

export async function unzipBody(packed: Uint8Array): Promise<string> {
  return (await unzip(packed, { maxOutputLength: MAX_BYTES })).toString();
}
