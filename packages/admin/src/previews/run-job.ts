import { restoredFactsIn } from "@longhaul/condense/advanced";
import { type Conversation, LonghaulError, LruMap, parseJsonText } from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import type { TokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import { estimate } from "./estimate.ts";
import { pairBodies } from "./pair-bodies.ts";
import { type JobContext, makePreview, type Preview, previewAnswer } from "./preview.ts";
import type {
  BodyComparison,
  CompareJob,
  Job,
  JobResult,
  PreviewJob,
  Question,
  QuestionAnswer,
  RequestBody,
} from "./protocol.ts";
import { replaySession } from "./replay-session.ts";
import { rowsOf } from "./rows.ts";

export type AskHost = (question: Question) => Promise<QuestionAnswer>;

const MAX_CACHED = 4;

export function makeJobRunner(counters: TokenCounters): (job: Job, ask: AskHost) => Promise<JobResult> {
  const cache = new LruMap<Preview>(MAX_CACHED);
  return async (job, ask) => {
    const context = jobContext(ask, counters);
    switch (job.kind) {
      case "preview":
        return { kind: "preview", answer: previewAnswer(await cachedPreview(job, context, cache), job.page) };
      case "estimate":
        return { kind: "estimate", answer: await estimate(job.text, context) };
      case "replay":
        return { kind: "replay", answer: await replaySession(job, context) };
      case "compare":
        return { kind: "compare", answer: await compareBodies(job, counters) };
      default:
        return job satisfies never;
    }
  };
}

function jobContext(ask: AskHost, counters: TokenCounters): Required<JobContext> {
  return {
    counters,
    termsFor: async (hint) => {
      const answer = await ask({ kind: "terms", hint });
      if (answer.kind !== "terms") throw wrongAnswer(answer);
      return answer.terms;
    },
    answer: async (requested) => {
      const answer = await ask({ kind: "summary", ask: requested });
      if (answer.kind !== "summary") throw wrongAnswer(answer);
      return answer.answer;
    },
  };
}

function wrongAnswer({ kind }: QuestionAnswer): LonghaulError {
  return new LonghaulError("internal.bug", `a question was answered with ${kind}`);
}

/** A preview with model calls is paid for once, so its further pages are available only while it is cached. */
async function cachedPreview(job: PreviewJob, context: Required<JobContext>, cache: LruMap<Preview>): Promise<Preview> {
  const { text, asksModels, page } = job;
  const key = `${sha256(text)} ${job.key}`;
  const isFurther = page.row !== undefined || page.from > 0;
  const found = isFurther || !asksModels ? cache.get(key) : undefined;
  if (found === undefined && asksModels && isFurther) {
    throw new LonghaulError("request.not-kept", "this preview has expired; create it again");
  }
  const { answer, ...offline } = context;
  const preview = found ?? (await makePreview(text, asksModels ? context : offline));
  cache.set(key, preview);
  return preview;
}

export async function compareBodies(job: CompareJob, counters: TokenCounters): Promise<BodyComparison> {
  const [before, after] = [decode(job.before), decode(job.after)];
  const pairs = pairBodies(before, after);
  return {
    messagesBefore: before.messages.length,
    messagesAfter: after.messages.length,
    putBack: restoredFacts(before, after),
    ...rowsOf({ pairs, messages: before.messages }, job.page, await counters.counterFor(job.tokenizer)),
  };
}

/** Finds restored facts, ignoring texts that the client wrote. */
function restoredFacts(before: Conversation, after: Conversation): string[] {
  const ofClient = new Set(textsIn(before));
  return textsIn(after).flatMap((text) => (ofClient.has(text) ? [] : restoredFactsIn(text)));
}

function textsIn({ messages }: Conversation): readonly string[] {
  return messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])));
}

/** Gemini's bodies do not contain the model, which is not needed here. */
function decode({ text, wire }: RequestBody): Conversation {
  return codecOf(wire).decodeRequest(parseJsonText(text), { model: "" }).conversation;
}
