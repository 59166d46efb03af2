import type { Model } from "../catalog/model.ts";

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
