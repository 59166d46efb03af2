import {
  type Conversation,
  type Hash,
  isConversation,
  isJsonObject,
  LonghaulError,
  pureHash,
} from "@longhaul/conversation/advanced";
import { costOf, type Model, type Prices, type TokenCounter } from "@longhaul/models";
import { type BudgetSettings, budgetOf, isDue, reserveFor } from "./budget/budget.ts";
import { type Condensation, type CondensingPlan, condenseInSteps } from "./condense-in-steps.ts";
import type { MediaLimits } from "./content/media.ts";
import { requireOptions } from "./contract/options.ts";
import { totalCost } from "./contract/report.ts";
import type { Strategy } from "./contract/strategy.ts";
import type { Answer, Ask } from "./edits/edit.ts";
import { type AnsweringContext, answerAsks, driveSync } from "./engine/run.ts";
import type { ThinkingRules } from "./passes/thinking.ts";
import {
  type CondensationPlan,
  callsModel,
  type ModelFacts,
  modelFacts,
  planCondensation,
} from "./plan-condensation.ts";
import { findStrategy, type StrategyOptions } from "./registry.ts";
import type { Projection } from "./rewrite/projection.ts";
import { fullHistory } from "./strategies/full-history.ts";
import { renderAsk } from "./summaries/ask.ts";

/** How to condense a conversation: a strategy, and everything that it depends on. */
export type CondenseOptions = CondenseSettings & StrategyOptions;

/** The options of a condensation without its strategy. Only `counter`, and `budget` or `model`, are required. */
export interface CondenseSettings extends AnsweringContext {
  /** The window and the tokens to reserve. @default those of `model` */
  readonly budget?: BudgetSettings;
  /** The model that reads the conversation, from `findModel`: its window, prices and limits are the defaults of other options. */
  readonly model?: Model;
  /** Limits of the upstream other than tokens. */
  readonly media?: MediaLimits;
  /** Strategies to try in order if one fails. @default `native`, `middle-out`, `sliding-truncation` */
  readonly fallbacks?: readonly string[];
  readonly hash?: Hash;
  /** A clock in milliseconds, for the durations in the report. @default the system's */
  readonly now?: () => number;
  readonly thinking?: ThinkingRules;
  readonly sent?: Projection;
  /** An earlier condensation of the same conversation to continue from. */
  readonly continues?: Projection;
  /** @default those of `model` */
  readonly prices?: Prices;
}

/** Condenses a conversation to its target, calling the summarizer if the strategy needs one. */
export async function condense(conversation: Conversation, options: CondenseOptions): Promise<Condensation> {
  requireArguments("condense", conversation, options);
  return await answerAsks(condenseInSteps(conversation, planOf(options)), options);
}

/** Throws for messages of another format and for wrong options, which the types do not catch in plain JavaScript. */
function requireArguments(caller: string, given: unknown, options: CondenseSettings): void {
  requireOptions(options, { caller, types: OPTIONS, required: ["counter"] });
  if (options.budget) requireOptions(options.budget, { caller: `${caller}: budget`, types: BUDGET });
  if (isConversation(given)) return;
  const found = Array.isArray(given) ? "a list of messages" : "messages of another format";
  throw new LonghaulError(
    "request.malformed",
    `${caller} takes a conversation { system, tools, messages } with blocks, not ${found}; use condenseMessages from "@longhaul/adapters"`,
  );
}

const OPTIONS = {
  counter: ["countText", "countConversation"],
  budget: ["windowTokens", "reservedTokens"],
  model: ["window", "images"],
  summarize: "a function",
  fallbacks: "a list of strings",
  hash: "a function",
  now: "a function",
} as const;

const SIZE = "a number of at least 0";
const BUDGET = {
  windowTokens: SIZE,
  reservedTokens: SIZE,
  thresholdPercent: "a number",
  globalThresholdPercent: "a number",
  targetShare: SIZE,
  targetTokens: SIZE,
  floorTokens: SIZE,
} as const;

/**
 * Condenses a conversation only if it is time to: at the trigger if the strategy calls a model or has a threshold, otherwise above the budget.
 * Returns it unchanged with an empty report before that, except for images that the upstream would reject.
 */
export async function condenseIfNeeded(conversation: Conversation, options: CondenseOptions): Promise<Condensation> {
  requireArguments("condenseIfNeeded", conversation, options);
  const plan = planOf(options);
  const tokens = plan.counter.countConversation(conversation);
  const asksModel = () => options.summarize !== undefined && callsModel(plan);
  const thresholdPercent = options.budget?.thresholdPercent;
  if (isDue(tokens, { ...plan, thresholdPercent, asksModel })) return await condense(conversation, options);
  const idling = { ...fullHistory, isFinal: plan.strategy.isFinal === true };
  const { budgetTokens } = plan.budget;
  const limits = { ...plan.limits, budgetTokens, targetTokens: budgetTokens };
  const idle = condenseInSteps(conversation, { ...plan, limits, choices: [{ strategy: idling }] }).next();
  if (idle.done !== true) throw new LonghaulError("internal.bug", "a strategy without passes yielded an ask");
  return idle.value;
}

/** The expected result and cost of a condensation. */
export interface Estimate {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Absent if summaries are needed and no prices are known. */
  readonly costUsd?: number;
  /** Number of summarizer calls. */
  readonly asks: number;
}

/** Options of an estimate: those of condensing, and the summarizer's prices. */
export type EstimateOptions = Omit<CondenseSettings, "summarize"> &
  StrategyOptions & { readonly summarizerPrices?: Prices };

/** Estimates a condensation without calling a model: asks are answered with placeholders of the expected length. */
export function estimate(conversation: Conversation, options: EstimateOptions): Estimate {
  requireArguments("estimate", conversation, options);
  const asks: Ask[] = [];
  const running = condenseInSteps(conversation, { ...planOf(options), isDryRun: true });
  const { report } = driveSync(running, (ask) => {
    asks.push(ask);
    return expectedAnswer(ask, options.counter);
  });
  const { tokensBefore, tokensAfter } = report;
  const prices = options.summarizerPrices ?? options.prices ?? options.model?.prices;
  const costs = asks.map((ask) => prices && expectedCost(ask, options.counter, prices));
  return { tokensBefore, tokensAfter, ...totalCost(costs), asks: asks.length };
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

/** Plans a condensation. Throws `settings.invalid` if the strategy is unknown or rejects its configuration. */
function planOf(options: CondenseOptions): CondensationPlan & CondensingPlan {
  const { counter, config, fallbacks, hash = pureHash, now = Date.now, sent, continues } = options;
  const strategy = checkedStrategy(options);
  const settings = budgetSettings(options);
  const { windowTokens, globalThresholdPercent = strategy.thresholdPercent } = settings;
  const plan = planCondensation({
    strategy,
    configs: { [strategy.id]: config },
    fallbacks,
    windowTokens,
    budget: budgetOf({ ...settings, globalThresholdPercent }),
    model: factsIn(options),
  });
  return { ...plan, counter, hash, now, ...(sent && { sent }), ...(continues && { continues }) };
}

/** Returns the model's facts; the caller's own take precedence. */
function factsIn({ model, media, thinking, prices }: CondenseSettings): ModelFacts {
  return {
    ...(model && modelFacts(model)),
    ...(media && { media }),
    ...(thinking && { thinking }),
    ...(prices && { prices }),
  };
}

function budgetSettings({ budget, model }: CondenseSettings): BudgetSettings {
  if (budget !== undefined) return budget;
  if (model === undefined) throw new LonghaulError("VALIDATION_ERROR", "set budget, or model to use its window");
  return { windowTokens: model.window, reservedTokens: reserveFor(model.maxOutput, model.window) };
}

/** Returns the chosen strategy. Throws `settings.invalid` if it is unknown or rejects its configuration. */
export function checkedStrategy(options: StrategyChoiceOptions): Strategy {
  const strategy = chosenStrategy(options);
  strategy.passes(options.config);
  return strategy;
}

interface StrategyChoiceOptions {
  readonly strategy?: string | Strategy | undefined;
  readonly config?: unknown;
  readonly summarize?: unknown;
}

/** Returns the chosen strategy, by default `native` with a summarizer, otherwise `middle-out`. */
export function chosenStrategy({ strategy, summarize }: StrategyChoiceOptions): Strategy {
  if (isStrategy(strategy)) return strategy;
  return findStrategy(strategy ?? (summarize === undefined ? "middle-out" : "native"));
}

function isStrategy(value: unknown): value is Strategy {
  return isJsonObject(value) && typeof value.id === "string" && typeof value.passes === "function";
}
