import {
  budgetOfEffort,
  EFFORTS,
  type Effort,
  effortOfBudget,
  nearestEffort,
  type Reasoning,
  type Request,
  table,
} from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import type { ReasoningRules } from "../codec/target.ts";

/** In which words a wish may be said, best first. */
const MODES: Readonly<Record<Reasoning["mode"], readonly Reasoning["mode"][]>> = table({
  off: ["off", "effort"],
  effort: ["effort", "budget", "adaptive"],
  budget: ["budget", "adaptive", "effort"],
  adaptive: ["adaptive", "effort", "budget"],
});

/** Says the client's wish in the words that the model knows. */
export function fitReasoning(request: Request, { rules, target, warn }: Fitting): Request {
  const { reasoning, ...rest } = request;
  if (reasoning === undefined) return request;
  const known = target.reasoning ?? rules.reasoning;
  const mode = MODES[reasoning.mode].find((candidate) => known.modes.includes(candidate));
  if (mode === undefined) {
    const message = `the model can't be told "${reasoning.mode}"; it thinks as it does by default`;
    warn({ feature: "reasoning", action: "dropped", message });
    return rest;
  }
  const fitted = limit(say(reasoning, mode), known, request.maxOutputTokens ?? target.maxOutputTokens);
  if (
    fitted.mode === reasoning.mode &&
    fitted.effort === reasoning.effort &&
    fitted.budgetTokens === reasoning.budgetTokens
  )
    return request;
  warn({ feature: "reasoning", action: "changed", message: `${spell(reasoning)} is sent as ${spell(fitted)}` });
  return { ...rest, reasoning: fitted };
}

function say(reasoning: Reasoning, mode: Reasoning["mode"]): Reasoning {
  if (mode === reasoning.mode) return reasoning;
  const { budgetTokens, effort, ...rest } = reasoning;
  const level = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  if (reasoning.mode === "off") return { ...rest, mode, effort: "none" };
  if (mode === "budget") return { ...rest, mode, budgetTokens: budgetOfEffort(level ?? "medium") };
  return level === undefined ? { ...rest, mode } : { ...rest, mode, effort: level };
}

/** The longest reply that a budget is measured against where nobody says how long it may be. */
const DEFAULT_OUTPUT = 8_192;

function limit(reasoning: Reasoning, known: ReasoningRules, maxOutputTokens = DEFAULT_OUTPUT): Reasoning {
  const leveled = limitEffort(reasoning, known.efforts ?? EFFORTS);
  const { mode, budgetTokens } = leveled;
  if (budgetTokens === undefined || mode !== "budget") return leveled;
  const most = Math.min(known.maxBudgetTokens ?? budgetTokens, budgetTokens, maxOutputTokens - 1);
  return { ...leveled, budgetTokens: Math.max(known.minBudgetTokens ?? 0, most) };
}

/** A model that knows no levels is told none. */
function limitEffort(reasoning: Reasoning, known: readonly Effort[]): Reasoning {
  const { effort, ...rest } = reasoning;
  if (effort === undefined) return reasoning;
  return known.length === 0 ? rest : { ...rest, effort: nearestEffort(effort, known) };
}

function spell({ mode, effort, budgetTokens }: Reasoning): string {
  const amount = mode === "budget" ? ` of ${budgetTokens} tokens` : effort === undefined ? "" : ` ${effort}`;
  return `reasoning "${mode}"${amount}`;
}
