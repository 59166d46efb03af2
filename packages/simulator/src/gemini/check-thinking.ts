import { isGiven, numberIn, textIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { type GeminiRequest, isThinking, thinkingIn } from "./request.ts";

const AUTOMATIC = -1;

/** Refuses a thinking configuration that the model does not take. */
export function checkThinking(request: GeminiRequest): void {
  const { thinkingBudget, thinkingLevel, includeThoughts } = thinkingIn(request);
  demand(
    !isGiven(thinkingBudget) || !isGiven(thinkingLevel),
    "You can only set only one of thinking budget and thinking level.",
  );
  if (isGiven(thinkingLevel)) checkLevel(request);
  if (isGiven(thinkingBudget)) checkBudget(request);
  demand(
    includeThoughts !== true || isThinking(request) || isGiven(thinkingLevel),
    "Thinking_config.include_thoughts is only enabled when thinking is enabled.",
  );
}

function checkLevel(request: GeminiRequest): void {
  const { reasoning } = request.model;
  const level = textIn(thinkingIn(request).thinkingLevel);
  const hasLevels = reasoning.kind === "level" || reasoning.kind === "effort";
  demand(hasLevels, "Thinking level is not supported for this model.");
  demand(
    reasoning.levels.some((known) => known === level.toLowerCase()),
    `Thinking level ${level} is not supported for this model. Please retry with other thinking level.`,
  );
}

/** Models with levels still take a budget, but none of zero where they can't stop thinking. */
function checkBudget(request: GeminiRequest): void {
  const { kind, mandatory, minBudgetTokens = 0, maxBudgetTokens } = request.model.reasoning;
  const budget = numberIn(thinkingIn(request).thinkingBudget) ?? AUTOMATIC;
  demand(kind !== "none" || budget === 0, "Thinking is not supported for this model.");
  demand(budget !== 0 || !mandatory, "Budget 0 is invalid. This model only works in thinking mode.");
  if (budget === 0 || budget === AUTOMATIC) return;
  const limit = maxBudgetTokens ?? request.model.maxOutput;
  demand(
    budget >= minBudgetTokens && budget <= limit,
    `The thinking budget ${budget} is invalid. Please choose a value between ${minBudgetTokens} and ${limit}.`,
  );
}
