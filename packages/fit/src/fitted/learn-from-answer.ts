import { type Overflow, promptTokens, type Usage } from "@longhaul/conversation";
import type { CalibrationSample } from "@longhaul/models";
import type { Fitted } from "../fitting/fit.ts";
import type { Pressure } from "../fitting/open-fit-request.ts";
import { tokensFrom } from "../history/parts.ts";
import type { LearnedPart } from "../memory/anchors.ts";
import { formName } from "../memory/epochs.ts";

/** Learns from what an upstream reports for a request: how it counts, and how large this conversation is. */
export function record(fitted: Fitted, usage: Usage): void {
  // Where the vendor compacted first, the round that did so read what was sent.
  const reported = promptTokens(usage.iterations?.[0] ?? usage);
  if (reported > 0) recordSize(fitted, { reported });
}

/** A request as it was sent. */
type Sent = Pick<Fitted, "fitRequest" | "form">;

/** An upstream's own count of a request. */
interface Report {
  readonly reported: number;
  /** Whether it was refused for that. */
  readonly wasRefused?: boolean;
}

/** Learns from an upstream's own count of a request, which it may have refused for it. */
export function recordSize(sent: Sent, { reported, wasRefused = false }: Report): void {
  const { state, destination, history, scope, ratio } = sent.fitRequest;
  const { epoch, estimated } = sent.form;
  const prefixes = history.prefixes();
  const form = formName(scope, epoch);
  const before = state.anchors.learnedPart(form, prefixes);
  const isTelling = epoch === undefined || wasRefused || !state.learned.hasLearned(destination);
  const whole = isTelling ? { estimated, reported, hasMedia: hasMedia(sent.fitRequest) } : undefined;
  const lesson = before === undefined ? whole : growthSince(before, sent, reported);
  const isSpent = lesson !== undefined && (state.learned.count(destination, lesson) || lesson.hasMedia);
  const prefix = prefixes.at(-1);
  if (prefix === undefined) return;
  const now: LearnedPart = { messages: prefixes.length, reported, headTokens: history.headTokens, ratio };
  const learned = isSpent ? now : (before ?? now);
  const head = history.headPrint();
  state.anchors.keep(form, prefix, { reported, estimated, ratio, atMs: state.nowMs(), wasRefused, head, learned });
}

/**
 * What came to the conversation since. Only that teaches: it is sent as the client wrote it, whatever was made of the rest, so that every
 * word of a client teaches once, and the ratio does not follow what a strategy leaves of a conversation.
 */
function growthSince(
  { messages, headTokens, ...before }: LearnedPart,
  { fitRequest, form }: Sent,
  reported: number,
): CalibrationSample {
  const { history, ratio } = fitRequest;
  const headGrowth = history.headTokens - headTokens * (ratio / before.ratio);
  return {
    estimated: tokensFrom(messages, form.rendering ?? AS_IT_CAME, fitRequest) + headGrowth,
    reported: reported - before.reported,
    hasMedia: history.messages.slice(messages).some((message) => message.hasMedia),
  };
}

const AS_IT_CAME = { messages: 0, parts: [], prints: [], ratio: 1 } as const;

/** Whether a conversation holds images or documents, which nobody can count as the vendors do. */
function hasMedia({ history }: Fitted["fitRequest"]): boolean {
  return history.messages.some((message) => message.hasMedia);
}

/** Share of the true limit, in the upstream's own count, that the second and the third try aim at. */
const AIMS = [0.9, 0.75] as const;

/** The same where nobody says what the limit is: shares of what was refused last. */
const BLIND_AIMS = [0.7, 0.5] as const;

/** Learns the true window from a refusal that names it, which only ever gets smaller, and how the upstream counts. */
export function learnOverflow({ limitTokens, actualTokens }: Overflow, fitted: Fitted): void {
  const { state, call, destination, limits } = fitted.fitRequest;
  if (limitTokens !== undefined && limitTokens < limits.windowTokens)
    state.learned.overflow(call, destination, limitTokens);
  if (actualTokens !== undefined) recordSize(fitted, { reported: actualTokens, wasRefused: true });
}

/**
 * Learns from a refusal without figures, once less of the same was accepted: the window lies between the two. Images and documents may
 * have been refused for their own sake.
 */
export function learnUnnamed({ limitTokens }: Overflow, { fitRequest, form }: Fitted, accepted: Fitted): void {
  const { state, call, destination, limits } = fitRequest;
  const windowTokens = Math.floor((form.tokens + accepted.form.tokens) / 2);
  if (limitTokens !== undefined || hasMedia(fitRequest) || windowTokens >= limits.windowTokens) return;
  state.learned.overflow(call, destination, windowTokens);
}

/** How many tokens the next try may have, in our own count: the upstream's count of this one tells how far that is off. */
export function pressureAfter(overflow: Overflow, fitted: Fitted, recoveries: number): Pressure {
  const { actualTokens, limitTokens, outputTokens = 0 } = overflow;
  const { fitRequest, form } = fitted;
  const isBlind = actualTokens === undefined && limitTokens === undefined;
  const aims = isBlind ? BLIND_AIMS : AIMS;
  const aim = aims[Math.min(recoveries, aims.length - 1)] ?? aims[0];
  const { windowTokens, budgetTokens } = fitRequest.limits;
  const limit = Math.min(limitTokens ?? windowTokens, windowTokens);
  const reserved = Math.max(windowTokens - budgetTokens, 0) * (limit / windowTokens);
  // A refusal that counts the answer in is about the answer's limit first, and that is lowered anyway.
  const free = outputTokens > 0 ? limit : limit - reserved;
  const ceiling = actualTokens === undefined ? Math.min(form.tokens, free) : free;
  return { maxTokens: Math.max(1, Math.floor((ceiling * aim) / countedFor(actualTokens, fitted))) };
}

/** The upstream's tokens for one of ours, as we count after what the refusal has taught. */
function countedFor(actualTokens: number | undefined, { fitRequest, form }: Fitted): number {
  if (actualTokens === undefined) return 1;
  const ours = form.estimated * (fitRequest.state.learned.ratio(fitRequest.destination) / fitRequest.ratio);
  return Math.max(actualTokens / ours, 1);
}
