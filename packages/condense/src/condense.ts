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

/** How to condense a conversation. Only `budget` and `counter` must be given. */
export interface CondenseOptions extends AnsweringContext {
  /** The window and what to keep free in it; `budgetOf` says what follows from it. */
  readonly budget: BudgetSettings;
  /** What the upstream takes besides tokens. */
  readonly media?: MediaLimits;
  /** A strategy or its id. Without one: `native` where a summariser is given, else `middle-out`. */
  readonly strategy?: string | Strategy;
  /** The strategy's own configuration; its defaults fill what is missing. */
  readonly config?: unknown;
  /** Tried in turn when a strategy fails. Default: `native`, then `middle-out`. */
  readonly fallbacks?: readonly string[];
  readonly hash?: Hash;
  readonly now?: () => number;
  readonly thinking?: ThinkingRules;
  readonly sent?: Projection;
  /** An earlier condensation of the same conversation to go on from, instead of beginning anew. */
  readonly continues?: Projection;
  readonly prices?: Prices;
}

/** Condenses a conversation to its target, calling the summariser where the strategy asks for one. */
export async function condense(conversation: Conversation, options: CondenseOptions): Promise<Condensation> {
  return await answerAsks(condenseInSteps(conversation, planOf(options)), options);
}

/**
 * The same, but only where the conversation has reached its trigger; else it is returned as it is, with an empty report, and without images
 * that the upstream would not take.
 */
export async function condenseIfNeeded(conversation: Conversation, options: CondenseOptions): Promise<Condensation> {
  const plan = planOf(options);
  const tokens = plan.counter.countConversation(conversation);
  if (shouldCondense(tokens, plan.budget)) return await condense(conversation, options);
  const idling = { ...fullHistory, isFinal: plan.strategy.isFinal === true };
  const idle = condenseInSteps(conversation, { ...plan, choices: [{ strategy: idling }] }).next();
  if (idle.done !== true) throw new LonghaulError("internal.bug", "a strategy without passes asked for something");
  return idle.value;
}

/** What a condensation would bring and cost, without calling anybody. */
export interface Estimate {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly costUsd: number;
  /** How many calls to a summariser it would take. */
  readonly asks: number;
}

/** What estimating needs: as for condensing, with the prices of whoever answers the asks. */
export type EstimateOptions = Omit<CondenseOptions, "summarize"> & { readonly summarizerPrices?: Prices };

/** Plans without changing anything: asks are answered with texts of the length that is expected. */
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

/** A text as long as the answer to an ask will likely be. */
export function expectedAnswer(ask: Ask, counter: TokenCounter): Answer {
  const word = "summary ";
  const tokensPerWord = counter.countText(word.repeat(100)) / 100;
  return { kind: "text", text: word.repeat(Math.max(1, Math.round(ask.expectedTokens / tokensPerWord))).trimEnd() };
}

/** What answering an ask as text will cost. */
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

/** The strategy that was chosen; where none was, `native` for whoever has a summariser, else `middle-out`. */
export function chosenStrategy({ strategy, summarize }: Pick<CondenseOptions, "strategy" | "summarize">): Strategy {
  if (typeof strategy === "object") return strategy;
  return findStrategy(strategy ?? (summarize === undefined ? "middle-out" : "native"));
}
