import { type Anatomy, anatomyOf, makeRecallMemory, modelFacts, type Strategy } from "@longhaul/condense";
import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation";
import type { LogFormat, LogReading, LogWarning } from "@longhaul/logs";
import { costOf, type Prices } from "@longhaul/models";
import type { SessionModel } from "../logs/read-session.ts";
import { type Accuracy, accuracyOf, promptsOf, type SentPrompt, sum } from "./prompts.ts";
import { type Replay, type ReplayStep, replay } from "./replay.ts";

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

export type StrategyResult = Readonly<ReturnType<typeof resultOf>>;

export interface AnalysisOptions {
  readonly model: SessionModel;
  readonly strategies: readonly Strategy[];
  /** @default a share of the longest prompt */
  readonly windowTokens?: number | undefined;
}

/** Default window as a share of the longest logged prompt, so that every session outgrows it. */
const WINDOW_SHARE = 0.75;

export function analyzeSession(file: string, reading: LogReading, options: AnalysisOptions): SessionAnalysis {
  const { model, strategies } = options;
  const prompts = promptsOf(reading, model.counter);
  const longest = Math.max(1, ...prompts.map(({ heldTokens }) => heldTokens));
  const windowTokens = options.windowTokens ?? Math.ceil(WINDOW_SHARE * longest);
  const prices = model.model?.prices;
  const sentTokens = sum(prompts.map(({ reportedTokens, heldTokens }) => reportedTokens || heldTokens));
  const costUsd = prices === undefined ? null : costAsSent(prompts, prices);
  const session = { sentTokens, costUsd, prompts, prices };
  const { counter } = model;
  const facts = model.model && modelFacts(model.model);
  const plan = { reading, prompts, counter, windowTokens, model: facts, memory: makeRecallMemory() };
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
    strategies: strategies.map((strategy) => {
      return resultOf(strategy, replay(strategy, plan), session);
    }),
    warnings: reading.warnings,
    assumption: model.warning ?? null,
  };
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
      const step = steps[index] ?? prompt;
      return costOf(replayedUsage(usageOf(prompt, prompts[index - 1]), { prompt, step }), prices);
    }),
  );
}

/** Returns the reported usage of a call, or the usage with a cache that has all of the previous call. */
function usageOf({ call, heldTokens, continues }: SentPrompt, before: SentPrompt | undefined): Usage {
  if (call.usage !== undefined) return call.usage;
  const cacheReadTokens = continues ? Math.min(heldTokens, before?.heldTokens ?? 0) : 0;
  return { ...NO_USAGE, cacheReadTokens, cacheWriteTokens: heldTokens - cacheReadTokens };
}

interface Replayed {
  readonly prompt: SentPrompt;
  readonly step: ReplayStep;
}

/** Returns the usage of a call with the prompt of a replay. Assumes that content missing in the log is at the start and unchanged. */
function replayedUsage(usage: Usage, { prompt, step }: Replayed): Usage {
  const saved = prompt.heldTokens - step.heldTokens;
  if (saved === 0 && step.unchangedTokens === undefined) return usage;
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const fresh = inputTokens + cacheWriteTokens;
  const whole = Math.max(0, fresh + cacheReadTokens - saved);
  const unlogged = Math.max(0, fresh + cacheReadTokens - prompt.heldTokens);
  const unchanged = step.unchangedTokens === undefined ? whole - fresh : unlogged + step.unchangedTokens;
  const read = cacheReadTokens === 0 ? 0 : Math.min(whole, Math.max(0, unchanged));
  // The share of new text that is written to the cache stays the same.
  const written = fresh === 0 ? whole - read : ((whole - read) * cacheWriteTokens) / fresh;
  const { cacheWriteHourTokens: _hour, iterations: _rounds, ...rest } = usage;
  return { ...rest, cacheReadTokens: read, cacheWriteTokens: written, inputTokens: whole - read - written };
}
