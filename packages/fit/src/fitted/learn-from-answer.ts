import { type Overflow, promptTokens, type Usage } from "@longhaul/conversation/advanced";
import type { CalibrationSample } from "@longhaul/models/advanced";
import type { Fitted } from "../fitting/fit.ts";
import type { FitRequest, Form } from "../fitting/fit-request.ts";
import type { Pressure } from "../fitting/open-fit-request.ts";
import { tokensFrom } from "../history/parts.ts";
import type { Anchor, LearnedPart } from "../memory/anchors.ts";
import { formName, originalName } from "../memory/epochs.ts";

/**
 * Records that a request was sent, and learns from the usage that the upstream reports for it: how it counts, and how large this
 * conversation is. Not every upstream reports usage.
 */
export function record(fitted: Fitted, usage: Usage | undefined): void {
  // If the vendor compacted first, that iteration read the sent prompt.
  const reported = usage === undefined ? 0 : promptTokens(usage.iterations?.[0] ?? usage);
  recordOriginal(fitted, reported);
  if (reported > 0) recordSize(fitted, { reported });
  else recordSent(fitted);
}

/**
 * Records the size of the conversation as the client sent it. A report of a form that continues a reported one differs from our count only
 * by the new messages; that of any other form says nothing about them.
 */
function recordOriginal({ fitRequest, form, originalTokens }: Fitted, reported: number): void {
  const { history, scope } = fitRequest;
  const difference = reported > 0 && isAnchored(fitRequest, form) ? reported - form.tokens : 0;
  const size = { reported: Math.max(1, originalTokens + difference), estimated: history.tokens };
  keepAnchor(fitRequest, originalName(scope), size);
}

/** Returns whether the count of this form is corrected by a report of its beginning. The original needs no such report. */
export function isAnchored({ state, history, scope }: FitRequest, { epoch }: Pick<Form, "epoch">): boolean {
  return epoch === undefined || state.anchors.learnedPart(formName(scope, epoch), history.prefixes()) !== undefined;
}

/** Returns the tokens of the messages after the first ones. */
export function tokensAfter({ messageTokens }: Pick<FitRequest["history"], "messageTokens">, messages: number): number {
  return messageTokens.slice(messages).reduce((sum, tokens) => sum + tokens, 0);
}

/** Earlier reports still apply. */
function recordSent({ fitRequest, form: { epoch, estimated } }: Sent): void {
  const size = { reported: estimated, estimated, isUnreported: true };
  keepAnchor(fitRequest, formName(fitRequest.scope, epoch), size);
}

function keepAnchor(
  { state, history, ratio }: FitRequest,
  form: string,
  anchor: Pick<Anchor, "reported" | "estimated" | "isUnreported" | "wasRefused" | "learned">,
): void {
  const prefix = history.prefixes().at(-1);
  if (prefix === undefined) return;
  state.anchors.keep(form, prefix, { ...anchor, ratio, atMs: state.nowMs(), head: history.headPrint() });
}

type Sent = Pick<Fitted, "fitRequest" | "form">;

interface Report {
  readonly reported: number;
  /** Whether the request was refused because of its size. */
  readonly wasRefused?: boolean;
}

/** Learns from an upstream's own count of a request. */
export function recordSize(sent: Sent, { reported, wasRefused = false }: Report): void {
  const { state, destination, history, scope, ratio } = sent.fitRequest;
  const { epoch, estimated } = sent.form;
  const prefixes = history.prefixes();
  const form = formName(scope, epoch);
  const before = state.anchors.learnedPart(form, prefixes);
  const isInformative = epoch === undefined || wasRefused || !state.learned.hasLearned(destination);
  const whole = isInformative ? { estimated, reported, hasMedia: hasMedia(sent.fitRequest) } : undefined;
  const sample = before === undefined ? whole : growthSince(before, sent, reported);
  const isSpent = sample !== undefined && (state.learned.count(destination, sample) || sample.hasMedia);
  const now: LearnedPart = { messages: prefixes.length, reported, headTokens: history.headTokens, ratio };
  const learned = isSpent ? now : (before ?? now);
  keepAnchor(sent.fitRequest, form, { reported, estimated, wasRefused, learned });
}

/**
 * Returns the growth of the conversation. Only that is a sample: it is sent as the client wrote it, so each of the client's words teaches
 * once, and the ratio does not depend on what a strategy keeps.
 */
function growthSince(
  { messages, headTokens, ...before }: LearnedPart,
  { fitRequest, form }: Sent,
  reported: number,
): CalibrationSample {
  const { history, ratio } = fitRequest;
  const headGrowth = history.headTokens - headTokens * (ratio / before.ratio);
  return {
    estimated: tokensFrom(messages, form.rendering ?? UNCHANGED, fitRequest) + headGrowth,
    reported: reported - before.reported,
    hasMedia: history.messages.slice(messages).some((message) => message.hasMedia),
  };
}

const UNCHANGED = { messages: 0, parts: [], prints: [], ratio: 1 } as const;

/** Returns whether a conversation has images or documents, which only the vendors can count. */
function hasMedia({ history }: Fitted["fitRequest"]): boolean {
  return history.messages.some((message) => message.hasMedia);
}

/** Shares of the true limit, in the upstream's own count, that the second and third try aim at. */
const AIMS = [0.9, 0.75] as const;

/** The same if the limit is unknown: shares of the refused size. */
const BLIND_AIMS = [0.7, 0.5] as const;

/** Learns the true window from a refusal that names it, and how the upstream counts. A learned window only gets smaller. */
export function learnOverflow({ limitTokens, actualTokens }: Overflow, fitted: Fitted): void {
  const { state, call, destination, limits } = fitted.fitRequest;
  if (limitTokens !== undefined && limitTokens < limits.windowTokens)
    state.learned.overflow(call, destination, limitTokens);
  if (actualTokens !== undefined) recordSize(fitted, { reported: actualTokens, wasRefused: true });
}

/**
 * Learns from a refusal without figures after a smaller request was accepted: the window is between the two. Images and documents may have
 * been refused for other reasons.
 */
export function learnUnnamed({ limitTokens }: Overflow, { fitRequest, form }: Fitted, accepted: Fitted): void {
  const { state, call, destination, limits } = fitRequest;
  const windowTokens = Math.floor((form.tokens + accepted.form.tokens) / 2);
  if (limitTokens !== undefined || hasMedia(fitRequest) || windowTokens >= limits.windowTokens) return;
  state.learned.overflow(call, destination, windowTokens);
}

/** Returns the limit of the next try in our own count, corrected by the upstream's count of this one. */
export function pressureAfter(overflow: Overflow, fitted: Fitted, recoveries: number): Pressure {
  const { actualTokens, limitTokens, outputTokens = 0 } = overflow;
  const { fitRequest, form } = fitted;
  const isBlind = actualTokens === undefined && limitTokens === undefined;
  const aims = isBlind ? BLIND_AIMS : AIMS;
  const aim = aims[Math.min(recoveries, aims.length - 1)] ?? aims[0];
  const { windowTokens, budgetTokens } = fitRequest.limits;
  const limit = Math.min(limitTokens ?? windowTokens, windowTokens);
  const reserved = Math.max(windowTokens - budgetTokens, 0) * (limit / windowTokens);
  // A refusal that includes the answer is about the output limit first, which is lowered anyway.
  const free = outputTokens > 0 ? limit : limit - reserved;
  const ceiling = actualTokens === undefined ? Math.min(form.tokens, free) : free;
  return { maxTokens: Math.max(1, Math.floor((ceiling * aim) / countedFor(actualTokens, fitted))) };
}

/** Returns the upstream's tokens per token of ours, after what the refusal has taught. */
function countedFor(actualTokens: number | undefined, { fitRequest, form }: Fitted): number {
  if (actualTokens === undefined) return 1;
  const ours = form.estimated * (fitRequest.state.learned.ratio(fitRequest.destination) / fitRequest.ratio);
  return Math.max(actualTokens / ours, 1);
}
