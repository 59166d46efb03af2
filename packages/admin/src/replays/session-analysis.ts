import { type Anatomy, anatomyOf, makeRecallMemory, modelFacts, type Strategy } from "@longhaul/condense/advanced";
import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation/advanced";
import type { LogFormat, LogReading, LogWarning } from "@longhaul/logs";
import { costOf, type Model, type Prices, type TokenCounter, usageWith } from "@longhaul/models/advanced";
import { type Accuracy, accuracyOf, promptsOf, type SentPrompt, sum } from "./prompts.ts";
import { type Replay, type ReplayPlan, type ReplayStep, replay } from "./replay.ts";

/** The analysis of one session. Unless noted, tokens are prompt tokens over all calls. */
export interface SessionAnalysis {
  readonly file: string;
  readonly format: LogFormat;
  readonly model: string | null;
  readonly messages: number;
  readonly calls: number;
  /** Usage in the log; null if there is none. */
  readonly recorded: ReturnType<typeof recordedIn>;
  /** Our count compared with it; null if there is none. */
  readonly accuracy: Accuracy | null;
  /** The sum of all prompts: as reported, or else as counted. */
  readonly sentTokens: number;
  /** Null if no price is known. */
  readonly costUsd: number | null;
  /** Tokens of the whole conversation by type, each message once. */
  readonly anatomy: Anatomy;
  /** The window that strategies had to fit. */
  readonly windowTokens: number;
  /** Tokens of the logged part of each prompt. */
  readonly curve: readonly number[];
  readonly strategies: readonly StrategyResult[];
  readonly warnings: readonly LogWarning[];
  readonly assumption: string | null;
}

/** The model of a session. */
export interface SessionModel {
  /** Its name in the log, or as requested; absent if neither names one. */
  readonly name?: string;
  /** Its catalog entry; absent if no model is named. */
  readonly model?: Model;
  /** Its window, or that of the model that is assumed. */
  readonly windowTokens: number;
  readonly counter: TokenCounter;
  /** An assumption that the user should know. */
  readonly warning?: string;
}

/** The result of a replay with one strategy. */
export type StrategyResult = Readonly<ReturnType<typeof resultOf>>;

/** The model, strategies and window of an analysis. */
export interface AnalysisOptions {
  readonly model: SessionModel;
  readonly strategies: readonly Strategy[];
  /** @default the model's window */
  readonly windowTokens?: number | undefined;
}

/** Analyzes a session: its tokens and cost, and the same with each strategy. */
export function analyzeSession(file: string, reading: LogReading, options: AnalysisOptions): SessionAnalysis {
  const { model, strategies } = options;
  const prompts = promptsOf(reading, model.counter);
  // Some models also have a larger window than the catalog's: every prompt in the log did fit.
  const longest = Math.max(...prompts.map(({ reportedTokens, heldTokens }) => reportedTokens || heldTokens));
  const windowTokens = options.windowTokens ?? Math.max(model.windowTokens, longest);
  const facts = model.model && modelFacts(model.model);
  const session = { reading, prompts, counter: model.counter, windowTokens, ...(facts && { model: facts }) };
  const { sentTokens, costUsd, results } = replayStrategies(strategies, session);
  return {
    file,
    format: reading.format,
    model: model.name ?? null,
    messages: reading.conversation.messages.length,
    calls: reading.calls.length + reading.sideCalls.length,
    recorded: recordedIn(reading, model),
    accuracy: accuracyOf(prompts) ?? null,
    sentTokens,
    costUsd,
    anatomy: anatomyOf(reading.conversation, model.counter),
    windowTokens,
    curve: prompts.map(({ heldTokens }) => heldTokens),
    strategies: results,
    warnings: reading.warnings,
    assumption: model.warning ?? null,
  };
}

/** A session to replay with several strategies. */
export type ReplayedSession = Omit<ReplayPlan, "memory">;

/** Replays a session with each strategy, and prices it as it was sent and as it would have been. */
export function replayStrategies(strategies: readonly Strategy[], session: ReplayedSession) {
  const { prompts, model } = session;
  const prices = model?.prices;
  const sentTokens = sum(prompts.map(({ reportedTokens, heldTokens }) => reportedTokens || heldTokens));
  const costUsd = prices === undefined ? null : costAsSent(prompts, prices);
  const asSent = { sentTokens, costUsd, prompts, prices };
  const plan = { ...session, memory: makeRecallMemory() };
  return { sentTokens, costUsd, results: strategies.map((each) => resultOf(each, replay(each, plan), asSent)) };
}

interface AsSent extends Pick<SessionAnalysis, "sentTokens" | "costUsd"> {
  readonly prompts: readonly SentPrompt[];
  readonly prices: Parameters<typeof costOf>[1] | undefined;
}

function resultOf({ id }: Strategy, played: Replay, { prompts, prices, sentTokens, costUsd }: AsSent) {
  const curve = played.steps.map(({ heldTokens }) => heldTokens);
  const savedTokens = sum(prompts.map(({ heldTokens }, index) => heldTokens - (curve[index] ?? 0)));
  const replayed = prices === undefined ? null : costAsReplayed(prompts, played.steps, prices) + played.summaryCostUsd;
  return {
    strategy: id,
    condensations: played.condensations,
    misfits: played.misfits,
    sentTokens: sentTokens - savedTokens,
    savedTokens,
    summaryCostUsd: prices === undefined ? null : played.summaryCostUsd,
    costUsd: replayed,
    savedUsd: replayed === null || costUsd === null ? null : costUsd - replayed,
    recall: played.recall,
    lost: played.lost,
    curve,
  };
}

function recordedIn({ calls, sideCalls }: LogReading, { model }: SessionModel) {
  const all = [...calls, ...sideCalls];
  const reported = all.filter(({ usage, costUsd }) => usage !== undefined || costUsd !== undefined);
  if (reported.length === 0) return null;
  const usages = reported.map(({ usage }) => usage ?? NO_USAGE);
  const usage = {
    inputTokens: sum(usages.map(({ inputTokens }) => inputTokens)),
    cacheReadTokens: sum(usages.map(({ cacheReadTokens }) => cacheReadTokens)),
    cacheWriteTokens: sum(usages.map(({ cacheWriteTokens }) => cacheWriteTokens)),
    outputTokens: sum(usages.map(({ outputTokens }) => outputTokens)),
  };
  const isPriced = reported.some(({ costUsd }) => costUsd !== undefined);
  const prices = model?.prices;
  const byPrices = prices === undefined ? null : sum(usages.map((each) => costOf(each, prices)));
  return {
    calls: reported.length,
    usage,
    promptTokens: promptTokens(usage),
    /** From the log, or else by list prices; null if neither is known. */
    costUsd: isPriced ? sum(reported.map(({ costUsd = 0 }) => costUsd)) : byPrices,
    costFrom: isPriced ? ("log" as const) : byPrices === null ? null : ("prices" as const),
  };
}

/** Returns the cost of a session's calls by their reported usage, or else with a cache that keeps everything. */
export function costAsSent(prompts: readonly SentPrompt[], prices: Prices): number {
  return sum(prompts.map((prompt, index) => costOf(usageOf(prompt, prompts[index - 1]), prices)));
}

/** Returns the cost of a session's calls with other prompts. The cache keeps what it kept in the original, as far as it is unchanged. */
export function costAsReplayed(prompts: readonly SentPrompt[], steps: readonly ReplayStep[], prices: Prices): number {
  return sum(
    prompts.map((prompt, index) => {
      const usage = usageOf(prompt, prompts[index - 1]);
      const { heldTokens: otherTokens, unchangedTokens }: ReplayStep = steps[index] ?? prompt;
      const changed = unchangedTokens === undefined ? undefined : otherTokens - unchangedTokens;
      const newTokens = usage.cacheReadTokens === 0 ? promptTokens(usage) + otherTokens : changed;
      return costOf(usageWith(usage, { sentTokens: prompt.heldTokens, otherTokens, newTokens }), prices);
    }),
  );
}

/** Returns the reported usage of a call, or the usage with a cache that has all of the previous call. */
function usageOf({ call, heldTokens, continues }: SentPrompt, before: SentPrompt | undefined): Usage {
  if (call.usage !== undefined) return call.usage;
  const cacheReadTokens = continues ? Math.min(heldTokens, before?.heldTokens ?? 0) : 0;
  return { ...NO_USAGE, cacheReadTokens, cacheWriteTokens: heldTokens - cacheReadTokens };
}
