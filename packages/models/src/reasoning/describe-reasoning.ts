import { EFFORTS } from "@longhaul/conversation";
import type { Model } from "../catalog/model.ts";
import { budgetRange } from "./budget-range.ts";

/** What a model can be told about thinking, in words for its users. */
export function describeReasoning(model: Model): string {
  const { kind, levels, thinkingTypes } = model.reasoning;
  if (kind === "none") return "it cannot reason";
  const { min, max } = budgetRange(model, true);
  const budget = `${min} to ${max} tokens, as a number or with k for 1024`;
  if (kind === "budget") return `it takes ${budget}, or one of ${levelsWorthTokens(model).join(", ")}`;
  if (levels.length === 0) return "it takes neither level nor number";
  const named = `it takes one of ${levels.join(", ")}`;
  return thinkingTypes.includes("enabled") ? `${named}, or ${budget}` : `${named}; a number becomes a level`;
}

/** Every level is worth a number of tokens, only not every model can be told none. */
function levelsWorthTokens({ reasoning }: Model): readonly string[] {
  return EFFORTS.filter((level) => level !== "none" || reasoning.levels.includes(level));
}

/** What a request needs that asks a model to think which cannot. */
export const REASONING_NEEDS =
  "use one that reasons (OpenAI's o-series or GPT-5 and later, Claude 3.7 and later, Gemini 2.5 and later), or name it under reasoning.patterns";
