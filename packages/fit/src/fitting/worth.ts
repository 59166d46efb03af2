import { expectedCalls, findStrategy, paysForItself } from "@longhaul/condense";
import { costOf, type Prices } from "@longhaul/models";
import { formName } from "../memory/form-name.ts";
import type { FitRequest, Form } from "./fit-request.ts";

/** How long vendors keep a prompt cached that nobody asks for again. */
const CACHE_LIFETIME_MS = 5 * 60 * 1_000;

/** What a summary likely has. */
const SUMMARY_TOKENS = 2_000;

/** Whether a conversation that still fits is worth a summary already: where there is a threshold, no price is known, or it pays for itself. */
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

/** Whether the vendor likely still has the conversation cached in this form: another system prompt is another cache entry. */
export function wasSentLately({ state, scope, history }: FitRequest, { epoch }: Form): boolean {
  const sentAtMs = state.anchors.sentAtMs(formName(scope, epoch), history.prefixes(), history.headPrint());
  return sentAtMs !== undefined && state.nowMs() - sentAtMs < CACHE_LIFETIME_MS;
}

function summaryCost(promptTokens: number, isWarm: boolean, prices: Prices): number {
  const [inputTokens, cacheReadTokens] = isWarm ? [0, promptTokens] : [promptTokens, 0];
  return costOf({ inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens: SUMMARY_TOKENS }, prices);
}
