import type { Answer } from "@longhaul/condense";
import {
  type AnswerAsk,
  compactionReport,
  type FitRequest,
  type Form,
  formName,
  makeCompactor,
  makeSummarizer,
  rawForm,
  type SentRequest,
  type SummaryNote,
  sentMessages,
  wasSentLately,
  windowOf,
} from "@longhaul/fit";
import { codecOf } from "@longhaul/wire";
import type { Call, RequestContext } from "../request/request-context.ts";
import { encodeSent, encodeSync } from "./encode.ts";
import { recordCondensation } from "./record.ts";

/** The part of the request context that summaries need: they outlive the request. */
export interface SummarizeContext extends Pick<RequestContext, "snapshot" | "random" | "wait"> {
  /** Called with the estimated cost of each summary. @default nothing */
  readonly expect?: (usd: number) => void;
}

/** Returns the function that writes the summaries of a condensation. A summary belongs to the conversation, so a disconnecting client does not end it. */
export function summarizerFor(fitRequest: FitRequest, form: Form, context: SummarizeContext): AnswerAsk {
  const { snapshot, expect, random, wait } = context;
  const { state, call, destination } = fitRequest;
  if (spentOn(fitRequest) >= destination.context.spendCapUsd) return offlineFor(fitRequest);
  const sent = sentWarm(fitRequest, form);
  const summarizer = makeSummarizer({
    snapshot,
    destination,
    call,
    settings: destination.context,
    counters: state.counters,
    workers: state.workers,
    ratioOf: (other) => state.learned.ratio(other),
    ...(sent === undefined ? {} : { sent }),
    ...(expect === undefined ? {} : { expect }),
    costs: state.summaryCosts,
    windowOf: (other) => windowOf(other, state.learned.window(call, other)),
    note: (note) => snapshot.log.summarized(logLine(call.id, note)),
    nowMs: state.nowMs,
    random,
    wait,
  });
  const never = new AbortController().signal;
  return (ask) => summarizer.answer(ask, never);
}

/**
 * Returns a summariser for a compaction that the client asked for, and a function that records its cost like that of a condensation, with
 * the size after it; without a size it had no result.
 */
export function requestedSummarizer(call: Call, fitRequest: FitRequest, context: RequestedContext) {
  const form = rawForm(fitRequest);
  let spentUsd = 0;
  let estimatedUsd = 0;
  const expect = (usd: number) => {
    estimatedUsd += usd;
  };
  const summarize = summarizerFor(fitRequest, form, { ...context, expect });
  const answer: AnswerAsk = async (ask) => {
    const answered = await summarize(ask);
    spentUsd += answered.costUsd ?? 0;
    return answered;
  };
  const settle = (tokensAfter = form.tokens) => {
    if (spentUsd === 0) return;
    const report = compactionReport({ tokensBefore: form.tokens, tokensAfter, costUsd: spentUsd });
    recordCondensation(call, { fitRequest, report, estimatedUsd }, context);
  };
  return { answer, settle };
}

type RequestedContext = SummarizeContext & Pick<RequestContext, "memory" | "observer">;

/** Returns a function that asks the conversation's own model to compact the messages that were sent last; undefined if the model cannot, or nothing was sent yet. */
export function compactorFor(fitRequest: FitRequest, form: Form, { snapshot, random, wait }: SummarizeContext) {
  const { call, destination, compaction, state } = fitRequest;
  const messages = sentMessages(fitRequest, form);
  if (compaction.askTokens === undefined || messages === 0 || !mayReadHead(fitRequest, form)) return undefined;
  if (spentOn(fitRequest) >= destination.context.spendCapUsd) return undefined;
  const onRefused = () => {
    state.learned.refuseOnDemand(call, destination);
    snapshot.log.warned(
      `conversations with "${destination.model}" are no longer compacted on demand: the upstream rejects it`,
    );
  };
  const compact = makeCompactor({ destination, call, random, wait, onRefused });
  const fitted = { fitRequest, form, originalTokens: form.tokens, origin: "reused" as const };
  const body = compact && encodeSent({ call, destination, fitted, messages });
  if (compact === undefined || body === undefined) return undefined;
  return async () => {
    const startedAt = state.nowMs();
    const answer = await compact({ body, tokens: form.tokens }, new AbortController().signal);
    snapshot.log.summarized(compactionLine(fitRequest, answer, state.nowMs() - startedAt));
    return answer;
  };
}

/**
 * Whether a summary that includes the system prompt can be reused on the next turn: the client names its conversation, or sent the same
 * prompt before. A prompt with the time of day, from a client without session names, would need another summary on every turn.
 */
function mayReadHead({ state, scope, history, conversation }: FitRequest, { epoch }: Form): boolean {
  if (conversation !== undefined) return true;
  return state.anchors.sentAtMs(formName(scope, epoch), history.prefixes(), history.headPrint()) !== undefined;
}

function offlineFor({ state, prompt }: FitRequest): AnswerAsk {
  const { tokenizer, ratio } = prompt;
  return (ask) => state.workers.answerOffline(ask, { tokenizer, ratio });
}

/** Returns the cost of this conversation's summaries so far. */
function spentOn(fitRequest: FitRequest): number {
  const { state, scope, history } = fitRequest;
  const lost = state.jobs.lostUsd(scope, history.prefixes());
  const condensations = state.epochs.known(fitRequest).filter(({ from }) => from === 0);
  return condensations.reduce((sum, { costUsd }) => sum + costUsd, lost);
}

/** Returns the request as it would be sent now, if the vendor still has most of it cached. */
function sentWarm(fitRequest: FitRequest, form: Form): SentRequest | undefined {
  const { call, destination, limits } = fitRequest;
  if (!wasSentLately(fitRequest, form) || form.tokens > limits.budgetTokens) return undefined;
  const { outgoing } = encodeSync({
    call,
    destination,
    fitted: { fitRequest, form, originalTokens: form.tokens, origin: "reused" },
  });
  const { body, headers } = outgoing;
  return body === undefined ? undefined : { body, headers, codec: codecOf(destination.wire), tokens: form.tokens };
}

function logLine(id: string, { writer, failures, usage, costUsd, milliseconds }: SummaryNote) {
  const failed = failures.length === 0 ? undefined : failures;
  return { id, writer, failures: failed, usage, costUsd, ms: Math.round(milliseconds) };
}

/** A compaction is a summary that the conversation's own model writes. */
function compactionLine({ call, destination }: FitRequest, answer: Answer, milliseconds: number) {
  const { usage, costUsd } = answer;
  const upstream = destination.handle.connection.upstream.id;
  const writer = { kind: "model", upstream, model: destination.model, form: "compaction" };
  const failures = answer.kind === "failed" ? [{ writer, why: answer.why }] : undefined;
  const ms = Math.round(milliseconds);
  return { id: call.id, writer: failures === undefined ? writer : undefined, failures, usage, costUsd, ms };
}
