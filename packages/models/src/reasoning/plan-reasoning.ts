import {
  budgetOfEffort,
  EFFORTS,
  type Effort,
  effortOfBudget,
  nearestEffort,
  type Reasoning,
  table,
} from "@longhaul/conversation";
import type { Model } from "../catalog/model.ts";
import { formatReasoning, type RequestedReasoning } from "./requested-reasoning.ts";

/** How a model is told to think. */
export interface ReasoningPlan {
  /** Absent where it can't be told. */
  readonly reasoning?: Reasoning;
  /** The most tokens for the reply, where those that the client allows leave no room behind the budget. */
  readonly maxOutputTokens?: number;
  readonly adjustments: readonly ReasoningAdjustment[];
}

/** A wish, for whom, and how long the reply may be. */
export interface ReasoningQuery {
  readonly model: Model;
  readonly requested: RequestedReasoning;
  readonly maxOutputTokens?: number | undefined;
  /** Whether the request itself says it: then only the model's own limits hold. @default false */
  readonly isOwn?: boolean;
}

/** Says a wish in the words that a model takes, within its limits; every difference is told. */
export function planReasoning(query: ReasoningQuery): ReasoningPlan {
  const { kind, thinkingTypes } = query.model.reasoning;
  switch (kind) {
    case "none":
      return query.requested.kind === "off"
        ? { adjustments: [] }
        : adjusted(query, "nothing", "the model cannot reason");
    case "effort":
    case "level":
      return planLevel(query, "effort");
    case "budget":
      return planBudget(query);
    case "adaptive": {
      const isBudget = query.requested.kind === "budget" && thinkingTypes.includes("enabled");
      return isBudget ? planBudget(query) : planLevel(query, "adaptive");
    }
    default:
      return kind satisfies never;
  }
}

function planLevel(query: ReasoningQuery, mode: "effort" | "adaptive"): ReasoningPlan {
  const { requested, model } = query;
  if (requested.kind === "auto") return plain({ mode: "adaptive" });
  const wanted = effortOf(requested);
  if (wanted === "none" && !model.reasoning.mandatory) return planOff(query);
  const known = thinkingLevels(model);
  if (known.length === 0) return adjusted(query, "its default", "the model takes no level");
  const effort = nearestEffort(wanted, known);
  if (requested.kind === "effort" && effort === wanted) return plain({ mode, effort });
  const why = whyLevel(requested, known);
  return { ...adjusted(query, effort, why), reasoning: { mode, effort } };
}

/** No tokens are no thinking; fewer than none are told. */
function planOff(query: ReasoningQuery): ReasoningPlan {
  const isLess = query.requested.kind === "budget" && query.requested.tokens < 0;
  const { adjustments } = isLess ? adjusted(query, "off", "there is no less than that") : plain({ mode: "off" });
  return { reasoning: { mode: "off" }, adjustments };
}

/** The levels at which a model thinks. */
function thinkingLevels({ reasoning }: Model): readonly Effort[] {
  return reasoning.levels.filter((level) => level !== "none");
}

function whyLevel(requested: RequestedReasoning, known: readonly Effort[]): string {
  if (requested.kind === "off") return "the model cannot stop thinking";
  return requested.kind === "budget" ? "the model takes levels, no budgets" : `the model knows ${known.join(", ")}`;
}

function effortOf(requested: Exclude<RequestedReasoning, { kind: "auto" }>): Effort {
  if (requested.kind === "off") return "none";
  return requested.kind === "effort" ? requested.effort : effortOfBudget(requested.tokens);
}

/** What a model with budgets thinks where nobody says how much. */
const DEFAULT_EFFORT: Effort = "medium";

function planBudget(query: ReasoningQuery): ReasoningPlan {
  const { requested, model, maxOutputTokens: allowed, isOwn = false } = query;
  if (requested.kind === "auto" && model.vendor === "google") return plain({ mode: "adaptive" });
  if (requested.kind === "off" && !model.reasoning.mandatory) return plain({ mode: "off" });
  const tokens = tokensOf(requested);
  const range = budgetRange(model, requested.kind === "budget" && !isOwn);
  const within = clamp(tokens, range);
  const adjustments = [...converted(requested, tokens), ...clamped(tokens, within, range)];
  if (within === 0) return { reasoning: { mode: "off" }, adjustments };
  const fitted = fitAnswer({ budget: within, least: range.least, model, maxOutputTokens: allowed });
  const { budget, maxOutputTokens } = fitted;
  return {
    reasoning: { mode: "budget", budgetTokens: budget, ...effortBesideBudget(requested, model) },
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    adjustments: [...adjustments, ...fitted.adjustments],
  };
}

/** Between nothing and the least that a model takes there is nothing. */
function clamp(tokens: number, { min, max, least }: BudgetRange): number {
  const within = Math.min(Math.max(tokens, min), max);
  return within > 0 && within < least ? least : within;
}

function tokensOf(requested: RequestedReasoning): number {
  if (requested.kind === "budget") return requested.tokens;
  if (requested.kind === "off") return 0;
  return budgetOfEffort(requested.kind === "auto" ? DEFAULT_EFFORT : requested.effort);
}

/** Opus 4.5 takes a level beside its budget. */
function effortBesideBudget(requested: RequestedReasoning, model: Model): Pick<Reasoning, "effort"> {
  const known = thinkingLevels(model);
  if (requested.kind !== "effort" || known.length === 0) return {};
  return { effort: nearestEffort(requested.effort, known) };
}

function converted(requested: RequestedReasoning, tokens: number): ReasoningAdjustment[] {
  if (requested.kind === "budget") return [];
  const why = requested.kind === "off" ? "the model cannot stop thinking" : "the model takes a budget";
  return [{ what: "reasoning", from: formatReasoning(requested), to: `${tokens} tokens`, why }];
}

function clamped(from: number, to: number, { min, max, least }: BudgetRange): ReasoningAdjustment[] {
  if (from === to) return [];
  const why = `budgets of this model are ${min === 0 && least > 1 ? `0, or ${least}` : min} to ${max} tokens`;
  return [{ what: "budget", from: `${from}`, to: `${to}`, why }];
}

function plain(reasoning: Reasoning): ReasoningPlan {
  return { reasoning, adjustments: [] };
}

function adjusted({ requested }: ReasoningQuery, to: string, why: string): ReasoningPlan {
  return { adjustments: [{ what: "reasoning", from: formatReasoning(requested), to, why }] };
}

/** A budget, and the reply that it has to leave room in. */
export interface BudgetInReply {
  readonly budget: number;
  /** The least that the model takes. */
  readonly least: number;
  readonly model: Pick<Model, "maxOutput">;
  /** What the client allows for the reply; the model's most where it does not say. */
  readonly maxOutputTokens: number | undefined;
}

/** A budget and a length of the reply that are valid together. */
export interface FittedBudget {
  readonly budget: number;
  /** Set where the reply may be longer than the client allows. */
  readonly maxOutputTokens?: number;
  readonly adjustments: readonly ReasoningAdjustment[];
}

/** The room that a budget leaves for the answer itself. */
export const ANSWER_TOKENS = 1_000;

/**
 * Thinking counts as part of the reply: a budget has to leave room for an answer. Where the client allows too little for both, its allowance
 * is for the answer and the budget comes on top, as far as the model writes; what is still too much is taken off the budget.
 */
export function fitAnswer({ budget, least, model, maxOutputTokens }: BudgetInReply): FittedBudget {
  const most = Math.max(least, model.maxOutput - ANSWER_TOKENS);
  const lowered = Math.min(budget, most);
  const lowering: ReasoningAdjustment = {
    what: "budget",
    from: `${budget}`,
    to: `${lowered}`,
    why: `the model writes at most ${model.maxOutput} tokens`,
  };
  const adjustments = lowered === budget ? [] : [lowering];
  if (maxOutputTokens === undefined || maxOutputTokens > lowered) return { budget: lowered, adjustments };
  const raised = Math.min(model.maxOutput, lowered + Math.max(1, maxOutputTokens));
  const why = `${lowered} tokens of thinking count as part of the reply`;
  const raising: ReasoningAdjustment = { what: "max_tokens", from: `${maxOutputTokens}`, to: `${raised}`, why };
  return { budget: lowered, maxOutputTokens: raised, adjustments: [...adjustments, raising] };
}

/** Something that a model is told otherwise than it was wished. */
export interface ReasoningAdjustment {
  readonly what: "reasoning" | "budget" | "max_tokens";
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** From where to where a budget may be, in tokens. */
export interface BudgetRange {
  readonly min: number;
  readonly max: number;
  /** The least that the model takes where it thinks at all. */
  readonly least: number;
}

/** What a typed budget is held to, whatever more the vendor would allow: the product's requirements name these. */
const TYPED_RANGES: Readonly<Record<string, { readonly min: number; readonly max: number }>> = table({
  anthropic: { min: 1_024, max: 16_000 },
  google: { min: 0, max: 24_576 },
});

const NO_LIMIT = { min: 0, max: Number.POSITIVE_INFINITY };

/** The budgets that a model takes. Those that somebody typed or set are held to narrower ones than those made from a level. */
export function budgetRange({ vendor, reasoning, maxOutput }: Model, isTyped: boolean): BudgetRange {
  const typed = (isTyped ? TYPED_RANGES[vendor] : undefined) ?? NO_LIMIT;
  const least = reasoning.minBudgetTokens ?? 1;
  const most = Math.min(reasoning.maxBudgetTokens ?? Number.POSITIVE_INFINITY, maxOutput);
  const mayBeOff = typed.min === 0 && !reasoning.mandatory && vendor === "google";
  return { min: mayBeOff ? 0 : Math.max(typed.min, least), max: Math.min(typed.max, most), least };
}

/** What a model can be told about thinking, in words for its users. */
export function describeReasoning(model: Model): string {
  const { kind, levels, thinkingTypes } = model.reasoning;
  if (kind === "none") return "it cannot reason";
  const { min, max } = budgetRange(model, true);
  const budget = `${min} to ${max} tokens, as a number or with k for 1024`;
  if (kind === "budget") return `it takes ${budget}, or one of ${levelsWithBudget(model).join(", ")}`;
  if (levels.length === 0) return "it takes neither level nor number";
  const named = `it takes one of ${levels.join(", ")}`;
  return thinkingTypes.includes("enabled") ? `${named}, or ${budget}` : `${named}; a number becomes a level`;
}

/** Every level is worth a number of tokens, only not every model can be told none. */
function levelsWithBudget({ reasoning }: Model): readonly string[] {
  return EFFORTS.filter((level) => level !== "none" || reasoning.levels.includes(level));
}

/** What a request needs that asks a model to think which cannot. */
export const REASONING_ADVICE =
  "use one that reasons (OpenAI's o-series or GPT-5 and later, Claude 3.7 and later, Gemini 2.5 and later), or name it under reasoning.patterns";
