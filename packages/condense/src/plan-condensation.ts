import { ownValue, type Request } from "@longhaul/conversation/advanced";
import { ANSWER_TOKENS, type Model, type Prices } from "@longhaul/models/advanced";
import { type Budget, budgetOf, capBudget, limitsWithHeadroom, MAX_OUTPUT_SHARE, reserveFor } from "./budget/budget.ts";
import type { CondensingPlan, StrategyChoice } from "./condense-in-steps.ts";
import { type MediaLimits, mediaLimitsOf } from "./content/media.ts";
import { checkWith } from "./contract/standard-schema.ts";
import type { Strategy } from "./contract/strategy.ts";
import type { ThinkingRules } from "./passes/thinking.ts";
import { FALLBACKS, findStrategy } from "./registry.ts";

/** The settings and facts that a budget is computed from. */
export interface BudgetOptions {
  /** A strategy or its id. Its own threshold is the default. */
  readonly strategy: string | Strategy;
  readonly windowTokens: number;
  readonly model?: ModelFacts;
  /** Most tokens that the caller accepts as the reply. @default the model's maximum */
  readonly replyTokens?: number | undefined;
  /** Tokens reserved for thinking and the answer after it, if the request has a thinking budget. @default 0 */
  readonly thinkingTokens?: number;
  /** Tokens to reserve for the reply. @default `replyTokens`, at most `outputShare` of the window, at least `thinkingTokens` */
  readonly reservedTokens?: number | undefined;
  /** Tokens that the vendor counts but the token counter does not see. @default 0 */
  readonly uncountedTokens?: number;
  /** Percent of the window at which condensing begins, 5 to 100. @default the strategy's own, else 100 */
  readonly thresholdPercent?: number | undefined;
  /** Largest share of the window to reserve for the reply. @default 0.2 */
  readonly outputShare?: number;
  /** Whether the reply's limit is reserved in full, up to 90% of the window, whatever `outputShare` is. @default false */
  readonly keepsOutputLimit?: boolean;
  /** Share of the window that condensing aims at. @default half of it, at most 70% of the trigger */
  readonly targetShare?: number | undefined;
  /** Tokens that condensing aims at. Overrides `targetShare`. */
  readonly targetTokens?: number | undefined;
  /** Condensing aims no lower than this. @default 0 */
  readonly floorTokens?: number;
  /** Whether condensing begins at the trigger instead of at the budget. @default true */
  readonly isAutomatic?: boolean;
}

/**
 * All settings and facts that a condensation is planned from. Plain data if the strategy is given by its id, so that it can be sent to a
 * thread.
 */
export interface PlanOptions extends BudgetOptions {
  /** Configurations by strategy id. A strategy's own defaults fill the gaps. */
  readonly configs?: Readonly<Record<string, unknown>>;
  /** Instructions for summaries, for strategies that accept them. */
  readonly prompt?: string | undefined;
  /** Strategies to try in order if the first one fails. @default `native`, `middle-out`, `sliding-truncation` */
  readonly fallbacks?: readonly string[] | undefined;
  /** Whether repeats become references from the first turn on. @default `auto`: as the strategy says */
  readonly references?: "auto" | "on" | "off";
  /** Fingerprints of messages that every strategy keeps whole. */
  readonly pins?: readonly string[];
  /** A budget that is already known. @default `planBudget` of these options */
  readonly budget?: Budget;
}

/** The facts about a model that a condensation depends on. */
export interface ModelFacts {
  readonly maxOutput?: number;
  readonly maxInput?: number;
  readonly media?: MediaLimits;
  readonly thinking?: ThinkingRules;
  readonly prices?: Prices;
}

/** Returns the facts about a model of the catalog that a condensation depends on. */
export function modelFacts(model: Model): ModelFacts {
  const { maxOutput, maxInput, bindsThinking, prices } = model;
  return {
    maxOutput,
    ...(maxInput !== undefined && { maxInput }),
    media: mediaLimitsOf(model),
    thinking: { binds: bindsThinking },
    ...(prices !== undefined && { prices }),
  };
}

/** Returns what a request's own parameters reserve for its reply. */
export function replyOptions({
  maxOutputTokens: replyTokens,
  reasoning,
}: Pick<Request, "maxOutputTokens" | "reasoning"> = {}): Pick<BudgetOptions, "replyTokens" | "thinkingTokens"> {
  const thinkingTokens = reasoning?.mode === "budget" ? (reasoning.budgetTokens ?? 0) + ANSWER_TOKENS : 0;
  return { replyTokens, thinkingTokens };
}

/** A planned condensation. With a counter and a hash function it is what `condenseInSteps` runs. */
export interface CondensationPlan extends Pick<CondensingPlan, "choices" | "limits" | "thinking" | "prices" | "pins"> {
  readonly strategy: Strategy;
  readonly budget: Budget;
  /** Whether repeats become references from the first turn on. */
  readonly refersEarly: boolean;
}

/**
 * Plans the condensation of a conversation that goes on: which strategies run, with which configuration, and within which limits. An
 * unknown strategy throws `settings.invalid`; so does running a strategy with a configuration that it rejects.
 */
export function planCondensation(options: PlanOptions): CondensationPlan {
  const { model = {}, references = "auto", fallbacks = FALLBACKS } = options;
  const { media, thinking, prices } = model;
  const strategy = strategyOf(options.strategy);
  const budget = options.budget ?? planBudget(options);
  const others = fallbacks.filter((id) => id !== strategy.id).map((id) => choiceOf(findStrategy(id), options));
  return {
    strategy,
    choices: [choiceOf(strategy, options), ...others],
    budget,
    limits: limitsWithHeadroom(budget, media),
    refersEarly: references === "on" || (references === "auto" && strategy.refersEarly === true),
    ...(thinking !== undefined && { thinking }),
    ...(prices !== undefined && { prices }),
    ...(options.pins !== undefined && { pins: options.pins }),
  };
}

/** Whether the chosen strategy calls a model with its configuration. */
export function callsModel({ choices: [{ strategy, config }] }: Pick<CondensationPlan, "choices">): boolean {
  return strategy.asksModel?.(config) ?? strategy.capabilities.summarizes;
}

/** Computes budget, trigger and target. A window that is not positive throws `VALIDATION_ERROR`. */
export function planBudget(options: BudgetOptions): Budget {
  const { windowTokens, model = {}, uncountedTokens = 0, thresholdPercent, isAutomatic = true } = options;
  const { targetShare, targetTokens, floorTokens } = options;
  const budget = budgetOf({
    windowTokens,
    reservedTokens: reservedTokensOf(options) + uncountedTokens,
    thresholdPercent,
    globalThresholdPercent: strategyOf(options.strategy).thresholdPercent,
    targetShare,
    targetTokens,
    ...(floorTokens !== undefined && { floorTokens }),
  });
  const late = { ...budget, thresholdPercent: 100, triggerTokens: Math.max(budget.budgetTokens, 0) };
  const { maxInput = Number.POSITIVE_INFINITY } = model;
  return capBudget(isAutomatic ? budget : late, maxInput - uncountedTokens);
}

function reservedTokensOf(options: BudgetOptions): number {
  const { windowTokens, model, replyTokens, thinkingTokens = 0, keepsOutputLimit = false } = options;
  if (options.reservedTokens !== undefined) return options.reservedTokens;
  const share = keepsOutputLimit && replyTokens !== undefined ? MAX_OUTPUT_SHARE : options.outputShare;
  const reply = reserveFor(replyTokens ?? model?.maxOutput ?? windowTokens, windowTokens, share);
  return Math.max(reply, Math.min(thinkingTokens, replyTokens ?? thinkingTokens));
}

function strategyOf(strategy: string | Strategy): Strategy {
  return typeof strategy === "object" ? strategy : findStrategy(strategy);
}

/** A strategy with its configuration. Only strategies that summarise accept a prompt. */
function choiceOf(strategy: Strategy, { configs = {}, prompt }: PlanOptions): StrategyChoice {
  const config = ownValue(configs, strategy.id) ?? {};
  const takesPrompt = prompt !== undefined && checkWith(strategy.schema, { prompt }).issues === undefined;
  return { strategy, config: takesPrompt && typeof config === "object" ? { ...config, prompt } : config };
}
