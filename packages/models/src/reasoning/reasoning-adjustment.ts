/** Something that a model is told otherwise than it was wished. */
export interface ReasoningAdjustment {
  readonly what: "reasoning" | "budget" | "max_tokens";
  readonly from: string;
  readonly to: string;
  readonly why: string;
}
