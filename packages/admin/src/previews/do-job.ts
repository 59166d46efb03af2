import { restoredFactsIn } from "@longhaul/condense";
import { type Conversation, LonghaulError, LruMap, parseJsonText } from "@longhaul/conversation";
import { sha256 } from "@longhaul/fit";
import type { TokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { estimateWork } from "./estimate.ts";
import type { Compared, CompareJob, Done, Job, PreviewJob, Question, Told, WrittenBody } from "./messages.ts";
import { pairBodies } from "./pair-bodies.ts";
import { type Asking, type Previewed, previewWork, tellPreview } from "./preview.ts";
import { rowsOf } from "./rows.ts";

/** Asks the gateway, and throws what it refuses. */
export type Ask = (question: Question) => Promise<Told>;

/** Previews that may be looked at further without being made anew. */
const MAX_KEPT = 4;

/** Opens a place where jobs are done. */
export function openJobs(counters: TokenCounters): (job: Job, ask: Ask) => Promise<Done> {
  const kept = new LruMap<Previewed>(MAX_KEPT);
  return async (job, ask) => {
    const asking = askingOf(ask, counters);
    switch (job.kind) {
      case "preview":
        return { kind: "preview", answer: tellPreview(await keptPreview(job, asking, kept), job.page) };
      case "estimate":
        return { kind: "estimate", answer: await estimateWork(job.text, asking) };
      case "compare":
        return { kind: "compare", answer: await compareWork(job, counters) };
      default:
        return job satisfies never;
    }
  };
}

function askingOf(ask: Ask, counters: TokenCounters): Required<Asking> {
  return {
    counters,
    termsFor: async (hint) => {
      const told = await ask({ kind: "terms", hint });
      if (told.kind !== "terms") throw wrongAnswer(told);
      return told.terms;
    },
    answer: async (wished) => {
      const told = await ask({ kind: "summary", ask: wished });
      if (told.kind !== "summary") throw wrongAnswer(told);
      return told.answer;
    },
  };
}

function wrongAnswer({ kind }: Told): LonghaulError {
  return new LonghaulError("internal.bug", `a question was answered with ${kind}`);
}

/** What models wrote is paid for once: a further page of it is told only while it is kept. */
async function keptPreview(job: PreviewJob, asking: Required<Asking>, kept: LruMap<Previewed>): Promise<Previewed> {
  const { text, asksModels, page } = job;
  const key = `${sha256(text)} ${job.key}`;
  const isFurther = page.row !== undefined || page.from > 0;
  const found = isFurther || !asksModels ? kept.get(key) : undefined;
  if (found === undefined && asksModels && isFurther) {
    throw new LonghaulError("request.not-kept", "this preview is not kept any more; make it again");
  }
  const { answer, ...offline } = asking;
  const previewed = found ?? (await previewWork(text, asksModels ? asking : offline));
  kept.set(key, previewed);
  return previewed;
}

/** Sets a request as it came beside what was sent. */
export async function compareWork(job: CompareJob, counters: TokenCounters): Promise<Compared> {
  const [before, after] = [decode(job.before), decode(job.after)];
  const pairs = pairBodies(before, after);
  return {
    messagesBefore: before.messages.length,
    messagesAfter: after.messages.length,
    putBack: putBackBetween(before, after),
    rowCount: pairs.length,
    rows: rowsOf(pairs, job.page, await counters.counterFor(job.tokenizer)),
  };
}

/** Only in texts that the client did not write. */
function putBackBetween(before: Conversation, after: Conversation): string[] {
  const ofClient = new Set(textsIn(before));
  return textsIn(after).flatMap((text) => (ofClient.has(text) ? [] : restoredFactsIn(text)));
}

function textsIn({ messages }: Conversation): readonly string[] {
  return messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])));
}

/** Gemini's bodies do not name their model; nothing here depends on it. */
function decode({ text, wire }: WrittenBody): Conversation {
  return codecOf(wire).decodeRequest(parseJsonText(text), { model: "" }).conversation;
}
