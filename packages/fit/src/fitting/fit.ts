import {
  type Answer,
  callsModel,
  expectedCalls,
  findStrategy,
  isDue,
  mayRunAgain,
  mediaLimitsOf,
  paysForItself,
  planCondensation,
  type Report,
} from "@longhaul/condense/advanced";
import { LonghaulError } from "@longhaul/conversation";
import { costOf, type Prices } from "@longhaul/models";
import type { Epoch } from "@longhaul/store";
import type { Destination } from "../destinations/destination.ts";
import type { History } from "../history/history.ts";
import type { KnownMessage } from "../history/known-messages.ts";
import type { Part } from "../history/parts.ts";
import { formName } from "../memory/epochs.ts";
import type { Call } from "../request/call.ts";
import { type AnswerAsk, compactsAtThreshold, condense, placeholderForm, withoutSurplusMedia } from "./condense.ts";
import { currentForm, epochForm, type FitRequest, type Form, originalSize, renderedForm } from "./fit-request.ts";
import { loweredOutput } from "./limits.ts";
import { type FitRequestContext, openFitRequest } from "./open-fit-request.ts";
import { withReferences } from "./references.ts";

/** A request that fits a destination. */
export interface Fitted {
  readonly fitRequest: FitRequest;
  readonly form: Form;
  readonly originalTokens: number;
  /** Whether its prefix was condensed for this request or for an earlier one. */
  readonly origin: "raw" | "new" | "reused";
  /** The output limit, if the client's own does not fit beside the prompt. */
  readonly maxOutputTokens?: number;
}

/** The context of fitting. */
export interface FitContext extends FitRequestContext {
  /** Returns a function that has the conversation's own model compact the sent messages, or undefined if it does not do that. */
  readonly compactor: (fitRequest: FitRequest, form: Form) => (() => Promise<Answer | undefined>) | undefined;
  /** Returns the summariser for a request's condensation. */
  readonly summarizer: (fitRequest: FitRequest, form: Form) => AnswerAsk;
  /**
   * Called for each condensation that is stored or has called a model, even if it ends after the request. Without an epoch it had no
   * result.
   */
  readonly onCondensed: (fitRequest: FitRequest, report: Report, epoch?: Epoch) => void;
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Fits a request to a destination: unchanged if it is small enough, else with its epoch, else condensed. Throws `request.too-large` if it
 * cannot fit.
 */
export async function fit(call: Call, destination: Destination, context: FitContext): Promise<Fitted> {
  if (!destination.context.keepOutputLimit) return await fitOnce(call, destination, context);
  try {
    return await fitOnce(call, destination, context);
  } catch (error) {
    if (!(error instanceof LonghaulError) || error.code !== "request.too-large") throw error;
    // Condensing does not make enough room for the client's output limit, so the limit is lowered.
    const lowering = { ...destination.context, keepOutputLimit: false };
    return await fitOnce(call, { ...destination, context: lowering }, context);
  }
}

async function fitOnce(call: Call, destination: Destination, context: FitContext): Promise<Fitted> {
  const fitRequest = await openFitRequest(call, destination, context);
  const current = await currentForm(fitRequest);
  const sent = shouldShrink(fitRequest, current)
    ? await shrink(fitRequest, current, context)
    : fitted(fitRequest, current, originOf(current));
  const fitting = hasSurplusMedia(fitRequest, sent.form) ? await dropMedia(fitRequest, sent) : sent;
  if (!fitRequest.refersEarly) return fitting;
  const form = await withReferences(fitRequest, fitting.form);
  return form === fitting.form ? fitting : fitted(fitRequest, form, fitting.origin === "raw" ? "new" : fitting.origin);
}

function originOf({ epoch }: Form): Fitted["origin"] {
  return epoch === undefined ? "raw" : "reused";
}

/** Removes images that the upstream would refuse: as on an earlier turn, else with a new condensation. */
async function dropMedia(fitRequest: FitRequest, { form }: Fitted): Promise<Fitted> {
  const { state, limits } = fitRequest;
  for (const epoch of await state.epochs.find(fitRequest)) {
    const known = await epochForm(fitRequest, epoch);
    if (known !== undefined && known.tokens <= limits.budgetTokens && !hasSurplusMedia(fitRequest, known)) {
      return fitted(fitRequest, known, "reused");
    }
  }
  return fitted(fitRequest, await withoutSurplusMedia(fitRequest, form), "new");
}

/** Returns whether the conversation has to be condensed further than in this form, by its vendor or by a strategy. */
export function shouldShrink(fitRequest: FitRequest, form: Form): boolean {
  const { limits: budget, compaction, state, scope, history } = fitRequest;
  const { tokens, epoch } = form;
  const { askTokens = Number.POSITIVE_INFINITY } = compaction;
  if (tokens <= askTokens && !isStrategyDue(fitRequest, form)) return false;
  const runs = [epoch, state.jobs.lastMiss(scope, history.prefixes())];
  return runs.every((last) => last === undefined || mayRunAgain(last, { tokens, budget }));
}

/** Returns whether it is time for the strategy, apart from any compaction by the vendor. */
function isStrategyDue(fitRequest: FitRequest, form: Form): boolean {
  const { limits: budget, destination } = fitRequest;
  const { strategy: id, threshold: thresholdPercent } = destination.context;
  const strategy = findStrategy(id);
  const asksModel = () => callsModel(planCondensation(fitRequest.plan));
  if (!isDue(form.tokens, { strategy, budget, thresholdPercent, asksModel })) return false;
  return form.tokens > budget.budgetTokens || isWorthIt(fitRequest, form);
}

async function shrink(fitRequest: FitRequest, current: Form, context: FitContext): Promise<Fitted> {
  const { budgetTokens } = fitRequest.limits;
  const fits = current.tokens <= budgetTokens;
  // No summary can make this fit, so none is paid for.
  if (!fits && mustStayTokens(fitRequest.history) > budgetTokens)
    return fitted(fitRequest, await placeholderForm(fitRequest, current), "new");
  const compact = context.compactor(fitRequest, current);
  const needsStrategy = isStrategyDue(fitRequest, current);
  if (compact === undefined && !needsStrategy) return fitted(fitRequest, current, originOf(current));
  let kept: Form | undefined;
  const job = condense(fitRequest, {
    from: current,
    compact,
    needsStrategy,
    answer: context.summarizer(fitRequest, current),
    onDone: (epoch, condensed) => {
      kept = renderedForm(fitRequest, epoch, condensed.rendering);
      context.onCondensed(fitRequest, condensed.report, epoch);
    },
    onMissed: (report) => context.onCondensed(fitRequest, report),
    wait: (ms) => context.wait(ms, NEVER),
  });
  const finished = job.done.then(
    () => true,
    () => false,
  );
  await (fits ? Promise.race([job.asked, finished]) : inTime(finished, fitRequest, context));
  const made = kept ?? (await joinedForm(fitRequest));
  if (made !== undefined && made.tokens < current.tokens && made.tokens <= budgetTokens) {
    return fitted(fitRequest, made, "new");
  }
  if (fits) return fitted(fitRequest, current, originOf(current));
  if (compactsAtThreshold(fitRequest)) return await fitOnce(fitRequest.call, fitRequest.destination, context);
  return fitted(fitRequest, await placeholderForm(fitRequest, current), "new");
}

/** A condensation belongs to the conversation: it continues after its client has left. */
const NEVER = new AbortController().signal;

/** Returns the result of another request's condensation that this one joined. */
async function joinedForm(fitRequest: FitRequest): Promise<Form | undefined> {
  const form = await currentForm(fitRequest);
  return form.epoch === undefined ? undefined : form;
}

async function inTime(finished: Promise<unknown>, { destination }: FitRequest, { wait, signal }: FitContext) {
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const late = wait(destination.context.waitSeconds * 1_000, ends).catch(() => {});
  await Promise.race([finished, late]);
  stop.abort();
}

function fitted(fitRequest: FitRequest, form: Form, origin: Fitted["origin"]): Fitted {
  const maxOutputTokens = loweredOutput(fitRequest.limits, form.tokens);
  const originalTokens = form.epoch === undefined ? form.tokens : originalSize(fitRequest);
  return { fitRequest, form, originalTokens, origin, ...(maxOutputTokens !== undefined && { maxOutputTokens }) };
}

/**
 * Returns the tokens that remain in any case: system, tools, and the user's latest message. If that message also has parts that can be
 * removed, none of it is counted.
 */
export function mustStayTokens({ headTokens, messages, messageTokens }: History): number {
  const latest = messages.findLastIndex(({ isUserAuthored }) => isUserAuthored);
  const isPlain = messages[latest]?.isPlainText === true;
  return headTokens + (isPlain ? (messageTokens[latest] ?? 0) : 0);
}

/** How long vendors cache an unused prompt. */
export const CACHE_LIFETIME_MS = 5 * 60 * 1_000;

/** The expected size of a summary. */
const SUMMARY_TOKENS = 2_000;

/**
 * Returns whether a summary is worth it for a conversation that still fits: if there is a threshold, if no price is known, or if it pays
 * for itself.
 */
export function isWorthIt(fitRequest: FitRequest, form: Form): boolean {
  const { destination, limits, history } = fitRequest;
  const { prices } = destination.match.model;
  const { threshold = findStrategy(destination.context.strategy).thresholdPercent } = destination.context;
  if (threshold !== undefined || prices === undefined) return true;
  const isWarm = wasSentLately(fitRequest, form);
  return paysForItself({
    savedTokens: Math.max(0, form.tokens - limits.targetTokens),
    suffixTokens: limits.targetTokens,
    cacheAlive: isWarm ? 1 : 0,
    calls: expectedCalls(history.messages.filter(({ role }) => role === "assistant").length),
    prices,
    summaryUsd: summaryCost(form.tokens, isWarm, prices),
  }).pays;
}

/** Returns whether the vendor likely has the conversation cached in this form. Another system prompt is another cache entry. */
export function wasSentLately({ state, scope, history }: FitRequest, { epoch }: Form): boolean {
  const sentAtMs = state.anchors.sentAtMs(formName(scope, epoch), history.prefixes(), history.headPrint());
  return sentAtMs !== undefined && state.nowMs() - sentAtMs < CACHE_LIFETIME_MS;
}

function summaryCost(promptTokens: number, isWarm: boolean, prices: Prices): number {
  const [inputTokens, cacheReadTokens] = isWarm ? [0, promptTokens] : [promptTokens, 0];
  return costOf({ inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens: SUMMARY_TOKENS }, prices);
}

/** Returns whether a request in this form has more or larger images, or more bytes, than the upstream accepts. */
export function hasSurplusMedia(fitRequest: FitRequest, form: Form): boolean {
  const { maxImages, maxImageBytes, maxBodyBytes } = mediaLimitsOf(fitRequest.destination.match.model);
  const sent = keptMessages(fitRequest, form);
  const images = sent.reduce((sum, message) => sum + message.images, 0);
  const largest = sent.reduce((most, message) => Math.max(most, message.imageBytes), 0);
  return (
    images > (maxImages ?? images) || largest > (maxImageBytes ?? largest) || isTooLong(fitRequest, form, maxBodyBytes)
  );
}

/** Returns the messages that are sent unchanged. Rewritten ones contain no surplus images. */
function keptMessages({ history }: FitRequest, { rendering }: Form): readonly KnownMessage[] {
  if (rendering === undefined) return history.messages;
  const { parts, messages } = rendering;
  const kept = parts.flatMap((part) => (part.kind === "kept" ? history.messages.slice(part.from, part.to) : []));
  return [...kept, ...history.messages.slice(messages)];
}

function isTooLong({ call, history }: FitRequest, { rendering }: Form, maxBytes = Number.POSITIVE_INFINITY): boolean {
  if (call.body.length <= maxBytes) return false;
  const { layout } = history;
  if (rendering === undefined || layout === undefined) return true;
  const { spans } = layout;
  const raw = (from: number, to: number) => spans.slice(from, to).reduce((sum, span) => sum + span.to - span.from, 0);
  const bytesOf = (part: Part) => (part.kind === "kept" ? raw(part.from, part.to) : Buffer.byteLength(part.json));
  const rest = call.body.length - raw(0, rendering.messages);
  return rendering.parts.reduce((sum, part) => sum + bytesOf(part), rest) > maxBytes;
}
