export type { BudgetSettings } from "./budget/budget.ts";
export {
  type CondenseOptions,
  condense,
  condenseIfNeeded,
  type Estimate,
  type EstimateOptions,
  estimate,
} from "./condense.ts";
export type { Condensation } from "./condense-in-steps.ts";
export { describeReport, type PassReport, type Report } from "./contract/report.ts";
export { defineStrategy, type Pass, type Strategy, type StrategyDefinition } from "./contract/strategy.ts";
export type { View } from "./contract/view.ts";
export { answerOffline } from "./coverage/digest.ts";
export type { Answer, Ask, Edit } from "./edits/edit.ts";
export { passesOf, STRATEGIES, type StrategyConfig, type StrategyId } from "./registry.ts";
export { type Projection, project } from "./rewrite/projection.ts";
export { askFor, renderAsk } from "./summaries/ask.ts";
