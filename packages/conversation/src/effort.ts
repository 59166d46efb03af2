import type { Effort } from "./request.ts";
import { table } from "./table.ts";

/** Every level, from low to high. */
export const EFFORTS: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** What each level is worth where a model takes tokens, and back: the only published thresholds that survive a round trip. */
const BUDGETS: Readonly<Record<Effort, number>> = table({
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 128_000,
});

/** The level of a budget of tokens. */
export function effortOfBudget(tokens: number): Effort {
  return EFFORTS.find((effort) => tokens <= BUDGETS[effort]) ?? "max";
}

/** The budget of a level, in tokens. */
export function budgetOfEffort(effort: Effort): number {
  return BUDGETS[effort];
}

/** The nearest of the levels that a model knows; of two, the higher. The level itself where it knows none. */
export function nearestEffort(effort: Effort, known: readonly Effort[]): Effort {
  const wanted = EFFORTS.indexOf(effort);
  const distance = (candidate: Effort) => Math.abs(EFFORTS.indexOf(candidate) - wanted);
  const higherFirst = known.toSorted((left, right) => EFFORTS.indexOf(right) - EFFORTS.indexOf(left));
  return higherFirst.toSorted((left, right) => distance(left) - distance(right))[0] ?? effort;
}
