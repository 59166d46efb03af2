import { ANATOMY_PARTS, findStrategy, restoredFactsIn } from "@longhaul/condense/advanced";
import { type Conversation, LonghaulError, LruMap, parseJsonText } from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import type { LoggedCall, LogReading } from "@longhaul/logs";
import type { TokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import type { ReplayAnswer } from "../api/replays.ts";
import { promptsOf } from "../replays/prompts.ts";
import { replayStrategies } from "../replays/session-analysis.ts";
import { estimate } from "./estimate.ts";
import { pairBodies } from "./pair-bodies.ts";
import { type JobContext, makePreview, measure, type Preview, previewAnswer } from "./preview.ts";
import type {
  BodyComparison,
  CompareJob,
  Job,
  JobResult,
  PreviewJob,
  Question,
  QuestionAnswer,
  ReplayJob,
  RequestBody,
} from "./protocol.ts";
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

/** Replays a session with one strategy by the gateway's settings, in the model's own window or the requested one. */
async function replaySession({ text, strategy: id }: ReplayJob, context: JobContext): Promise<ReplayAnswer> {
  const { reading: read, terms, counter } = await measure(text, context);
  const reading = withCalls(read);
  const prompts = promptsOf(reading, counter);
  const strategy = findStrategy(id);
  const { plan, size } = terms;
  const windowTokens = size.windowTokens ?? plan.windowTokens;
  const session = { reading, prompts, counter, windowTokens, model: plan.model, settings: plan };
  const { sentTokens, costUsd, results } = replayStrategies([strategy], session);
  const [result] = results;
  const { references } = result?.recall ?? { references: { hit: 0, of: 0 } };
  const lost = ANATOMY_PARTS.map((part) => ({ part, tokens: result?.lost[part] ?? 0 })).filter(
    ({ tokens }) => tokens > 0,
  );
  return {
    strategy: id,
    name: strategy.name,
    model: terms.model,
    windowTokens,
    requests: prompts.length,
    condensations: result?.condensations ?? 0,
    fits: result?.misfits === 0 && Math.max(0, ...result.curve) <= windowTokens,
    sentTokens: result?.sentTokens ?? sentTokens,
    untouchedTokens: sentTokens,
    costUsd: result?.costUsd ?? null,
    untouchedUsd: costUsd,
    summaryUsd: result?.summaryCostUsd ?? null,
    recall: references.of === 0 ? null : references.hit / references.of,
    lost: lost.toSorted((a, b) => b.tokens - a.tokens),
  };
}

/** A request's body records no calls: each reply in it was one. */
function withCalls(reading: LogReading): LogReading {
  const { calls, conversation } = reading;
  if (calls.length > 0) return reading;
  const { messages } = conversation;
  const replies = [...messages.keys()].filter(
    (index) => index > 0 && messages[index]?.role === "assistant" && messages[index - 1]?.role !== "assistant",
  );
  const ends = messages.at(-1)?.role === "user" ? [...replies, messages.length] : replies;
  return { ...reading, calls: ends.map((to): LoggedCall => ({ outcome: "finished", prompt: { from: 0, to } })) };
}
