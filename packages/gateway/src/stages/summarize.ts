import {
  type AnswerAsk,
  type FitRequest,
  type Form,
  formName,
  makeCompactor,
  makeSummarizer,
  type SentRequest,
  type SummaryNote,
  sentMessages,
  wasSentLately,
  windowOf,
} from "@longhaul/fit";
import { codecOf } from "@longhaul/wire";
import type { Snapshot } from "../configuration/snapshot.ts";
import { encode, encodeSent } from "./encode.ts";

/** What summarising takes from outside. */
export interface SummarizeContext {
  readonly snapshot: Snapshot;
  /** Told what each summary will likely cost. @default nobody */
  readonly expect?: (usd: number) => void;
  readonly random: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Who answers the asks of a turn's condensation. A summary belongs to the conversation, so no client's signal ends it. */
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
    windowOf: (other) => windowOf(other, state.learned.window(call, other)),
    note: (note) => snapshot.log.summarized(told(call.id, note)),
    nowMs: state.nowMs,
    random,
    wait,
  });
  const never = new AbortController().signal;
  return (ask) => summarizer.answer(ask, never);
}

/** Has the conversation's own model compact what was last sent of it; nothing where it does not do that, or nothing was sent yet. */
export function compactorFor(fitRequest: FitRequest, form: Form, { snapshot, random, wait }: SummarizeContext) {
  const { call, destination } = fitRequest;
  const messages = sentMessages(fitRequest, form);
  const { enabled, onDemand } = snapshot.config.compaction;
  const { plan } = fitRequest.compaction;
  const isOurs = plan.kind === "none" && plan.reason !== "client-compacts";
  if (!enabled || !onDemand || !isOurs || messages === 0 || !mayReadHead(fitRequest, form)) return undefined;
  const compact = makeCompactor({ destination, call, random, wait });
  const fitted = { fitRequest, form, originalTokens: form.tokens, origin: "reused" as const };
  const body = compact && encodeSent({ call, destination, fitted, messages });
  if (compact === undefined || body === undefined) return undefined;
  return () => compact({ body, tokens: form.tokens }, new AbortController().signal);
}

/**
 * Whether a summary that reads the system prompt can be reused on the next turn: the client names its conversation, or sent the same prompt
 * before. One that holds the time of day, from a client that names nothing, would need another summary on every turn.
 */
function mayReadHead({ state, scope, history, conversation }: FitRequest, { epoch }: Form): boolean {
  if (conversation !== undefined) return true;
  return state.anchors.sentAtMs(formName(scope, epoch), history.prefixes(), history.headPrint()) !== undefined;
}

function offlineFor({ state, prompt }: FitRequest): AnswerAsk {
  const { tokenizer, ratio } = prompt;
  return (ask) => state.workers.answerOffline(ask, { tokenizer, ratio });
}

/** What the summaries of this conversation have cost so far. */
function spentOn(fitRequest: FitRequest): number {
  const { state, scope, history } = fitRequest;
  const lost = state.jobs.lostUsd(scope, history.prefixes());
  const condensations = state.shelf.known(fitRequest).filter(({ from }) => from === 0);
  return condensations.reduce((sum, { costUsd }) => sum + costUsd, lost);
}

/** The request as it goes out now, if the vendor still has most of it cached. */
function sentWarm(fitRequest: FitRequest, form: Form): SentRequest | undefined {
  const { call, destination, limits } = fitRequest;
  if (!wasSentLately(fitRequest, form) || form.tokens > limits.budgetTokens) return undefined;
  const { outgoing } = encode(call, destination, { fitRequest, form, originalTokens: form.tokens, origin: "reused" });
  const { body, headers } = outgoing;
  return body === undefined ? undefined : { body, headers, codec: codecOf(destination.wire), tokens: form.tokens };
}

function told(id: string, { writer, failures, costUsd, milliseconds }: SummaryNote) {
  const failed = failures.length === 0 ? undefined : failures;
  return { id, writer, failures: failed, costUsd, ms: Math.round(milliseconds) };
}
