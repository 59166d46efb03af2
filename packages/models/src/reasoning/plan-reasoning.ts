import { budgetOfEffort, type Effort, effortOfBudget, nearestEffort, type Reasoning } from "@longhaul/conversation";
import type { Model } from "../catalog/model.ts";
import { type BudgetRange, budgetRange } from "./budget-range.ts";
import { fitAnswer, type ReasoningAdjustment } from "./fit-answer.ts";
import { type ReasoningWish, spellWish } from "./wish.ts";

/** How a model is told to think. */
export interface ReasoningPlan {
  /** Absent where it can't be told. */
  readonly reasoning?: Reasoning;
  /** The most tokens for the reply, where those that the client allows leave no room behind the budget. */
  readonly maxOutputTokens?: number;
  readonly adjustments: readonly ReasoningAdjustment[];
}

/** A wish, for whom, and how long the reply may be. */
export interface WishedReasoning {
  readonly model: Model;
  readonly wish: ReasoningWish;
  readonly maxOutputTokens?: number | undefined;
  /** Whether the request itself says it: then only the model's own limits hold. @default false */
  readonly isOwn?: boolean;
}

/** Says a wish in the words that a model takes, within its limits; every difference is told. */
export function planReasoning(wished: WishedReasoning): ReasoningPlan {
  const { kind, thinkingTypes } = wished.model.reasoning;
  switch (kind) {
    case "none":
      return wished.wish.kind === "off" ? { adjustments: [] } : adjusted(wished, "nothing", "the model cannot reason");
    case "effort":
    case "level":
      return planLevel(wished, "effort");
    case "budget":
      return planBudget(wished);
    case "adaptive": {
      const isBudget = wished.wish.kind === "budget" && thinkingTypes.includes("enabled");
      return isBudget ? planBudget(wished) : planLevel(wished, "adaptive");
    }
    default:
      return kind satisfies never;
  }
}

function planLevel(wished: WishedReasoning, mode: "effort" | "adaptive"): ReasoningPlan {
  const { wish, model } = wished;
  if (wish.kind === "auto") return plain({ mode: "adaptive" });
  const wanted = effortOf(wish);
  if (wanted === "none" && !model.reasoning.mandatory) return planOff(wished);
  const known = thinkingLevels(model);
  if (known.length === 0) return adjusted(wished, "its default", "the model takes no level");
  const effort = nearestEffort(wanted, known);
  if (wish.kind === "effort" && effort === wanted) return plain({ mode, effort });
  const why = whyLevel(wish, known);
  return { ...adjusted(wished, effort, why), reasoning: { mode, effort } };
}

/** No tokens are no thinking; fewer than none are told. */
function planOff(wished: WishedReasoning): ReasoningPlan {
  const isLess = wished.wish.kind === "budget" && wished.wish.tokens < 0;
  const { adjustments } = isLess ? adjusted(wished, "off", "there is no less than that") : plain({ mode: "off" });
  return { reasoning: { mode: "off" }, adjustments };
}

/** The levels at which a model thinks. */
function thinkingLevels({ reasoning }: Model): readonly Effort[] {
  return reasoning.levels.filter((level) => level !== "none");
}

function whyLevel(wish: ReasoningWish, known: readonly Effort[]): string {
  if (wish.kind === "off") return "the model cannot stop thinking";
  return wish.kind === "budget" ? "the model takes levels, no budgets" : `the model knows ${known.join(", ")}`;
}

function effortOf(wish: Exclude<ReasoningWish, { kind: "auto" }>): Effort {
  if (wish.kind === "off") return "none";
  return wish.kind === "effort" ? wish.effort : effortOfBudget(wish.tokens);
}

/** What a model with budgets thinks where nobody says how much. */
const OPEN_EFFORT: Effort = "medium";

function planBudget(wished: WishedReasoning): ReasoningPlan {
  const { wish, model, maxOutputTokens: allowed, isOwn = false } = wished;
  if (wish.kind === "auto" && model.vendor === "google") return plain({ mode: "adaptive" });
  if (wish.kind === "off" && !model.reasoning.mandatory) return plain({ mode: "off" });
  const tokens = tokensOf(wish);
  const range = budgetRange(model, wish.kind === "budget" && !isOwn);
  const within = clamp(tokens, range);
  const adjustments = [...converted(wish, tokens), ...clamped(tokens, within, range)];
  if (within === 0) return { reasoning: { mode: "off" }, adjustments };
  const fitted = fitAnswer({ budget: within, least: range.least, model, maxOutputTokens: allowed });
  const { budget, maxOutputTokens } = fitted;
  return {
    reasoning: { mode: "budget", budgetTokens: budget, ...besideBudget(wish, model) },
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    adjustments: [...adjustments, ...fitted.adjustments],
  };
}

/** Between nothing and the least that a model takes there is nothing. */
function clamp(tokens: number, { min, max, least }: BudgetRange): number {
  const within = Math.min(Math.max(tokens, min), max);
  return within > 0 && within < least ? least : within;
}

function tokensOf(wish: ReasoningWish): number {
  if (wish.kind === "budget") return wish.tokens;
  if (wish.kind === "off") return 0;
  return budgetOfEffort(wish.kind === "auto" ? OPEN_EFFORT : wish.effort);
}

/** Opus 4.5 takes a level beside its budget. */
function besideBudget(wish: ReasoningWish, model: Model): Pick<Reasoning, "effort"> {
  const known = thinkingLevels(model);
  if (wish.kind !== "effort" || known.length === 0) return {};
  return { effort: nearestEffort(wish.effort, known) };
}

function converted(wish: ReasoningWish, tokens: number): ReasoningAdjustment[] {
  if (wish.kind === "budget") return [];
  const why = wish.kind === "off" ? "the model cannot stop thinking" : "the model takes a budget";
  return [{ what: "reasoning", from: spellWish(wish), to: `${tokens} tokens`, why }];
}

function clamped(from: number, to: number, { min, max, least }: BudgetRange): ReasoningAdjustment[] {
  if (from === to) return [];
  const why = `budgets of this model are ${min === 0 && least > 1 ? `0, or ${least}` : min} to ${max} tokens`;
  return [{ what: "budget", from: `${from}`, to: `${to}`, why }];
}

function plain(reasoning: Reasoning): ReasoningPlan {
  return { reasoning, adjustments: [] };
}

function adjusted({ wish }: WishedReasoning, to: string, why: string): ReasoningPlan {
  return { adjustments: [{ what: "reasoning", from: spellWish(wish), to, why }] };
}
