import {
  budgetOfEffort,
  EFFORTS,
  type Effort,
  effortOfBudget,
  nearestEffort,
  type Reasoning,
  table,
} from "@longhaul/conversation/advanced";
import type { Model } from "../catalog/model.ts";
import { formatReasoning, type RequestedReasoning } from "./requested-reasoning.ts";

/** How to configure a model's reasoning. */
export interface ReasoningPlan {
  /** Absent if the model cannot be configured. */
  readonly reasoning?: Reasoning;
  /** A higher output limit, if the client's leaves no room for an answer after the budget. */
  readonly maxOutputTokens?: number;
  readonly adjustments: readonly ReasoningAdjustment[];
}

/** The requested reasoning, the model and the output limit. */
export interface ReasoningQuery {
  readonly model: Model;
  readonly requested: RequestedReasoning;
  readonly maxOutputTokens?: number | undefined;
  /** Whether the request itself sets the reasoning: then only the model's own limits apply. @default false */
  readonly isOwn?: boolean;
  /** Largest budget from a suffix or the settings. @default the vendor's typed maximum: 16,000 for Claude, 24,576 for Gemini */
  readonly ceilingTokens?: number | undefined;
}

/** Converts requested reasoning to what a model accepts, within its limits; reports every difference. */
export function planReasoning(query: ReasoningQuery): ReasoningPlan {
  const { kind, thinkingTypes } = query.model.reasoning;
  switch (kind) {
    case "none":
      return query.requested.kind === "off"
        ? { adjustments: [] }
        : adjusted(query, "nothing", "the model does not support reasoning");
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
  if (known.length === 0) return adjusted(query, "the model's default", "the model accepts no effort level");
  const effort = nearestEffort(wanted, known);
  if (requested.kind === "effort" && effort === wanted) return plain({ mode, effort });
  const why = whyLevel(requested, known);
  return { ...adjusted(query, effort, why), reasoning: { mode, effort } };
}

/** A budget of 0 turns reasoning off; a negative one is reported. */
function planOff(query: ReasoningQuery): ReasoningPlan {
  const isLess = query.requested.kind === "budget" && query.requested.tokens < 0;
  const { adjustments } = isLess ? adjusted(query, "off", "a budget cannot be negative") : plain({ mode: "off" });
  return { reasoning: { mode: "off" }, adjustments };
}

function thinkingLevels({ reasoning }: Model): readonly Effort[] {
  return reasoning.levels.filter((level) => level !== "none");
}

function whyLevel(requested: RequestedReasoning, known: readonly Effort[]): string {
  if (requested.kind === "off") return "the model's reasoning cannot be turned off";
  return requested.kind === "budget"
    ? "the model accepts effort levels, not token budgets"
    : `the model accepts ${known.join(", ")}`;
}

function effortOf(requested: Exclude<RequestedReasoning, { kind: "auto" }>): Effort {
  if (requested.kind === "off") return "none";
  return requested.kind === "effort" ? requested.effort : effortOfBudget(requested.tokens);
}

/** Effort of a model with token budgets if none is given. */
const DEFAULT_EFFORT: Effort = "medium";

function planBudget(query: ReasoningQuery): ReasoningPlan {
  const { requested, model, maxOutputTokens: allowed, isOwn = false, ceilingTokens } = query;
  if (requested.kind === "auto" && model.vendor === "google") return plain({ mode: "adaptive" });
  if (requested.kind === "off" && !model.reasoning.mandatory) return plain({ mode: "off" });
  const tokens = tokensOf(requested);
  const range = budgetRange(model, !isOwn, ceilingTokens);
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

/** A budget between 0 and the model's minimum is raised to the minimum. */
function clamp(tokens: number, { min, max, least }: BudgetRange): number {
  const within = Math.min(Math.max(tokens, min), max);
  return within > 0 && within < least ? least : within;
}

function tokensOf(requested: RequestedReasoning): number {
  if (requested.kind === "budget") return requested.tokens;
  if (requested.kind === "off") return 0;
  return budgetOfEffort(requested.kind === "auto" ? DEFAULT_EFFORT : requested.effort);
}

/** Opus 4.5 accepts an effort level in addition to its budget. */
function effortBesideBudget(requested: RequestedReasoning, model: Model): Pick<Reasoning, "effort"> {
  const known = thinkingLevels(model);
  if (requested.kind !== "effort" || known.length === 0) return {};
  return { effort: nearestEffort(requested.effort, known) };
}

function converted(requested: RequestedReasoning, tokens: number): ReasoningAdjustment[] {
  if (requested.kind === "budget") return [];
  const why =
    requested.kind === "off" ? "the model's reasoning cannot be turned off" : "the model accepts a token budget";
  return [{ what: "reasoning", from: formatReasoning(requested), to: `${tokens} tokens`, why }];
}

function clamped(from: number, to: number, { min, max, least }: BudgetRange): ReasoningAdjustment[] {
  if (from === to) return [];
  const why = `the model accepts budgets of ${min === 0 && least > 1 ? `0, or ${least}` : min} to ${max} tokens`;
  return [{ what: "budget", from: `${from}`, to: `${to}`, why }];
}

function plain(reasoning: Reasoning): ReasoningPlan {
  return { reasoning, adjustments: [] };
}

function adjusted({ requested }: ReasoningQuery, to: string, why: string): ReasoningPlan {
  return { adjustments: [{ what: "reasoning", from: formatReasoning(requested), to, why }] };
}

/** A budget, and the limits of the reply that it is part of. */
interface BudgetInReply {
  readonly budget: number;
  /** Smallest budget that the model accepts. */
  readonly least: number;
  readonly model: Pick<Model, "maxOutput">;
  /** The client's output limit. @default the model's maximum */
  readonly maxOutputTokens: number | undefined;
}

/** Tokens that a budget leaves for the answer. */
export const ANSWER_TOKENS = 1_000;

/**
 * Reasoning counts as output: a budget must leave room for an answer. If the client's limit is too small for both, it applies to the answer
 * and the budget is added, up to the model's maximum; the budget is reduced by the rest. Returns an output limit if it must be raised.
 */
export function fitAnswer({ budget, least, model, maxOutputTokens }: BudgetInReply) {
  const most = Math.max(least, model.maxOutput - ANSWER_TOKENS);
  const lowered = Math.min(budget, most);
  const lowering: ReasoningAdjustment = {
    what: "budget",
    from: `${budget}`,
    to: `${lowered}`,
    why: `the model's maximum output is ${model.maxOutput} tokens`,
  };
  const adjustments = lowered === budget ? [] : [lowering];
  if (maxOutputTokens === undefined || maxOutputTokens > lowered) return { budget: lowered, adjustments };
  const raised = Math.min(model.maxOutput, lowered + Math.max(1, maxOutputTokens));
  const why = `${lowered} tokens of reasoning count as output`;
  const raising: ReasoningAdjustment = { what: "max_tokens", from: `${maxOutputTokens}`, to: `${raised}`, why };
  return { budget: lowered, maxOutputTokens: raised, adjustments: [...adjustments, raising] };
}

/** A difference between the requested and the configured reasoning. */
export interface ReasoningAdjustment {
  readonly what: "reasoning" | "budget" | "max_tokens";
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** Range of a reasoning budget, in tokens. */
export interface BudgetRange {
  readonly min: number;
  readonly max: number;
  /** Smallest budget other than 0. */
  readonly least: number;
}

/** Range for budgets and levels typed by users, whatever the vendor would allow, as the product's requirements demand. */
const TYPED_RANGES: Readonly<Record<string, { readonly min: number; readonly max: number }>> = table({
  anthropic: { min: 1_024, max: 16_000 },
  google: { min: 0, max: 24_576 },
});

const NO_LIMIT = { min: 0, max: Number.POSITIVE_INFINITY };

/** Returns the budgets that a model accepts. What users typed or configured has a narrower range than what a request asks for. */
export function budgetRange(
  { vendor, reasoning, maxOutput }: Model,
  isTyped: boolean,
  ceilingTokens?: number,
): BudgetRange {
  const usual = (isTyped ? TYPED_RANGES[vendor] : undefined) ?? NO_LIMIT;
  const typed = isTyped && ceilingTokens !== undefined ? { ...usual, max: ceilingTokens } : usual;
  const least = reasoning.minBudgetTokens ?? 1;
  const most = Math.min(reasoning.maxBudgetTokens ?? Number.POSITIVE_INFINITY, maxOutput);
  const mayBeOff = typed.min === 0 && !reasoning.mandatory && vendor === "google";
  return { min: mayBeOff ? 0 : Math.max(typed.min, least), max: Math.min(typed.max, most), least };
}

/** Describes the reasoning settings that a model accepts. */
export function describeReasoning(model: Model): string {
  const { kind, levels, thinkingTypes } = model.reasoning;
  if (kind === "none") return "it does not support reasoning";
  const { min, max } = budgetRange(model, true);
  const budget = `${min} to ${max} tokens, as a number or with k for 1024`;
  // Every level has a token budget, but not every model can turn reasoning off.
  const named = EFFORTS.filter((level) => level !== "none" || levels.includes(level)).join(", ");
  if (kind === "budget") return `it accepts ${budget}, or one of ${named}`;
  if (levels.length === 0) return "it accepts neither a level nor a number";
  const numbers = thinkingTypes.includes("enabled") ? `, or ${budget}` : "; a number is converted to a level";
  return `it accepts one of ${levels.join(", ")}${numbers}`;
}

/** Advice for a request that asks a model without reasoning to reason. */
export const REASONING_ADVICE =
  "use a reasoning model (OpenAI's o-series or GPT-5 and later, Claude 3.7 and later, Gemini 2.5 and later), or list this one under reasoning.patterns";
