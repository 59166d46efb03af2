import { table } from "@longhaul/conversation";
import type { Model } from "../catalog/model.ts";

/** From where to where a budget may be, in tokens. */
export interface BudgetRange {
  readonly min: number;
  readonly max: number;
  /** The least that the model takes where it thinks at all. */
  readonly least: number;
}

/** What a typed budget is held to, whatever more the vendor would allow: the product's requirements name these. */
const TYPED: Readonly<Record<string, { readonly min: number; readonly max: number }>> = table({
  anthropic: { min: 1_024, max: 16_000 },
  google: { min: 0, max: 24_576 },
});

const NO_LIMIT = { min: 0, max: Number.POSITIVE_INFINITY };

/** The budgets that a model takes. Those that somebody typed or set are held to narrower ones than those made from a level. */
export function budgetRange({ vendor, reasoning, maxOutput }: Model, isTyped: boolean): BudgetRange {
  const typed = (isTyped ? TYPED[vendor] : undefined) ?? NO_LIMIT;
  const least = reasoning.minBudgetTokens ?? 1;
  const most = Math.min(reasoning.maxBudgetTokens ?? Number.POSITIVE_INFINITY, maxOutput);
  const mayBeOff = typed.min === 0 && !reasoning.mandatory && vendor === "google";
  return { min: mayBeOff ? 0 : Math.max(typed.min, least), max: Math.min(typed.max, most), least };
}
