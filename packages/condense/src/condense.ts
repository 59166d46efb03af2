import { type Conversation, type Hash, LonghaulError, pureHash } from "@longhaul/conversation";
import { costOf, type Prices, type TokenCounter } from "@longhaul/models";
import { type BudgetSettings, budgetOf, shouldCondense } from "./budget/budget.ts";
import { type Condensation, type CondensingPlan, condenseInSteps } from "./condense-in-steps.ts";
import type { MediaLimits } from "./content/media.ts";
import type { Strategy } from "./contract/strategy.ts";
import type { Answer, Ask } from "./edits/edit.ts";
import { type AnsweringContext, answerAsks, driveSync } from "./engine/run.ts";
import type { ThinkingRules } from "./passes/thinking.ts";
import { type CondensationPlan, planCondensation } from "./plan-condensation.ts";
import { findStrategy } from "./registry.ts";
import type { Projection } from "./rewrite/projection.ts";
import { fullHistory } from "./strategies/full-history.ts";
import { renderAsk } from "./summaries/ask.ts";

/** How to condense a conversation. Only `budget` and `counter` are required. */
export interface CondenseOptions extends AnsweringContext {
  /** The window and the tokens to reserve; see `budgetOf`. */
  readonly budget: BudgetSettings;
  /** Limits of the upstream other than tokens. */
  readonly media?: MediaLimits;
  /** A strategy or its id. @default `native` with a summarizer, otherwise `middle-out` */
  readonly strategy?: string | Strategy;
  /** The strategy's configuration; its defaults fill the gaps. */
  readonly config?: unknown;
  /** Strategies to try in order if one fails. @default `native`, `middle-out`, `sliding-truncation` */
  readonly fallbacks?: readonly string[];
  readonly hash?: Hash;
  readonly now?: () => number;
  readonly thinking?: ThinkingRules;
  readonly sent?: Projection;
  /** An earlier condensation of the same conversation to continue from. */
  readonly continues?: Projection;
  readonly prices?: Prices;
}

/** Condenses a conversation to its target, calling the summarizer if the strategy needs one. */
export async function condense(conversation: Conversation, options: CondenseOptions): Promise<Condensation> {
  return await answerAsks(condenseInSteps(conversation, planOf(options)), options);
}

/**
 * Condenses a conversation only if it has reached its trigger. Otherwise returns it unchanged with an empty report, except for images that
 * the upstream would reject.
 */
export async function condenseIfNeeded(conversation: Conversation, options: CondenseOptions): Promise<Condensation> {
  const plan = planOf(options);
  const tokens = plan.counter.countConversation(conversation);
  if (shouldCondense(tokens, plan.budget)) return await condense(conversation, options);
  const idling = { ...fullHistory, isFinal: plan.strategy.isFinal === true };
  const idle = condenseInSteps(conversation, { ...plan, choices: [{ strategy: idling }] }).next();
  if (idle.done !== true) throw new LonghaulError("internal.bug", "a strategy without passes yielded an ask");
  return idle.value;
}

/** The expected result and cost of a condensation. */
export interface Estimate {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly costUsd: number;
  /** Number of summarizer calls. */
  readonly asks: number;
}

/** Options of an estimate: those of condensing, and the summarizer's prices. */
export type EstimateOptions = Omit<CondenseOptions, "summarize"> & { readonly summarizerPrices?: Prices };

/** Estimates a condensation without calling a model: asks are answered with placeholders of the expected length. */
export function estimate(conversation: Conversation, options: EstimateOptions): Estimate {
  const asks: Ask[] = [];
  const running = condenseInSteps(conversation, { ...planOf(options), isDryRun: true });
  const { report } = driveSync(running, (ask) => {
    asks.push(ask);
    return expectedAnswer(ask, options.counter);
  });
  const { tokensBefore, tokensAfter } = report;
  const prices = options.summarizerPrices ?? options.prices;
  const costUsd =
    prices === undefined ? 0 : asks.reduce((sum, ask) => sum + expectedCost(ask, options.counter, prices), 0);
  return { tokensBefore, tokensAfter, costUsd, asks: asks.length };
}

/** Returns a placeholder as long as the expected answer to an ask. */
export function expectedAnswer(ask: Ask, counter: TokenCounter): Answer {
  const word = "summary ";
  const tokensPerWord = counter.countText(word.repeat(100)) / 100;
  return { kind: "text", text: word.repeat(Math.max(1, Math.round(ask.expectedTokens / tokensPerWord))).trimEnd() };
}

/** Returns the expected cost of answering an ask. */
export function expectedCost(ask: Ask, counter: TokenCounter, prices: Prices): number {
  const inputTokens = counter.countText(renderAsk(ask));
  return costOf({ inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: ask.expectedTokens }, prices);
}

function planOf(options: CondenseOptions): CondensationPlan & CondensingPlan {
  const { counter, config, fallbacks, hash = pureHash, now, thinking, sent, continues, prices, media } = options;
  const strategy = chosenStrategy(options);
  const { windowTokens, globalThresholdPercent = strategy.thresholdPercent } = options.budget;
  const plan = planCondensation({
    strategy,
    configs: { [strategy.id]: config },
    fallbacks,
    windowTokens,
    budget: budgetOf({ ...options.budget, globalThresholdPercent }),
    model: { ...(media && { media }), ...(thinking && { thinking }), ...(prices && { prices }) },
  });
  return { ...plan, counter, hash, ...(now && { now }), ...(sent && { sent }), ...(continues && { continues }) };
}

/** Returns the chosen strategy, by default `native` with a summarizer, otherwise `middle-out`. */
export function chosenStrategy({ strategy, summarize }: Pick<CondenseOptions, "strategy" | "summarize">): Strategy {
  if (typeof strategy === "object") return strategy;
  return findStrategy(strategy ?? (summarize === undefined ? "middle-out" : "native"));
}
