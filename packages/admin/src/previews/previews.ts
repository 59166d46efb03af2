import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import { type AnswerQuestion, keepThread } from "@longhaul/fit";
import type { EstimateAnswer, PreviewAnswer } from "../api/previews.ts";
import type { Compared, CompareJob, Done, EstimateJob, Job, PreviewJob, PreviewProtocol } from "./messages.ts";

/** Answers what a job needs to know of the gateway. */
export type AnswerJob = AnswerQuestion<PreviewProtocol>;

/**
 * Shows what would be done to conversations. It works in a thread of its own: neither requests nor their condensations wait for somebody
 * who only looks.
 */
export interface Previews {
  preview(job: PreviewJob, answer: AnswerJob): Promise<PreviewAnswer>;
  estimate(job: EstimateJob, answer: AnswerJob): Promise<EstimateAnswer>;
  compare(job: CompareJob): Promise<Compared>;
  close(): Promise<void>;
}

/** A thread that nobody needs for so long gives its memory back. */
const IDLE_MS = 5 * 60_000;

/** Opens them. */
export function openPreviews(idleMs = IDLE_MS): Previews {
  const thread = keepThread<PreviewProtocol>(new URL("./worker.ts", import.meta.url), "previews");
  let idle: NodeJS.Timeout | undefined;
  const stopIfIdle = () => {
    if (thread.size() === 0) void thread.close();
  };
  const run = async (job: Job, answer: AnswerJob): Promise<Done> => {
    clearTimeout(idle);
    try {
      return await thread.running().run(job, answer);
    } finally {
      clearTimeout(idle);
      idle = setTimeout(stopIfIdle, idleMs).unref();
    }
  };
  return {
    preview: async (job, answer) => {
      const done = await run(job, answer);
      return done.kind === "preview" ? done.answer : wrong(done);
    },
    estimate: async (job, answer) => {
      const done = await run(job, answer);
      return done.kind === "estimate" ? done.answer : wrong(done);
    },
    compare: async (job) => {
      const done = await run(job, () => Promise.reject(new LonghaulError("internal.bug", "nothing is to be asked")));
      return done.kind === "compare" ? done.answer : wrong(done);
    },
    close: async () => {
      clearTimeout(idle);
      await thread.close();
    },
  };
}

function wrong({ kind }: Done): never {
  throw new LonghaulError("internal.bug", `a job came to ${kind}`);
}

const unpack = promisify(gunzip);

/** What is kept was a request's body once; more than this is none. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A body that was kept, as text. */
export async function keptBody(packed: Uint8Array): Promise<string> {
  return (await unpack(packed, { maxOutputLength: MAX_BYTES })).toString();
}
