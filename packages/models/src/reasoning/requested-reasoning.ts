import { EFFORTS, type Effort, type Reasoning } from "@longhaul/conversation/advanced";
import type { Model } from "../catalog/model.ts";

/** Reasoning as requested, before it is adapted to a model. */
export type RequestedReasoning =
  | { readonly kind: "off" }
  /** The model decides. */
  | { readonly kind: "auto" }
  | { readonly kind: "effort"; readonly effort: Effort }
  | { readonly kind: "budget"; readonly tokens: number };

const KILO = 1_024;

const NUMBER = /^(-?\d+)(k?)$/;

/** Parses an effort level, a number, or a number with `k`, ignoring case. Returns undefined for anything else. */
export function parseReasoning(text: string): RequestedReasoning | undefined {
  const word = text.toLowerCase();
  if (word === "auto") return { kind: "auto" };
  const effort = EFFORTS.find((level) => level === word);
  if (effort !== undefined) return reasoningFromEffort(effort);
  const [, digits, unit] = NUMBER.exec(word) ?? [];
  if (digits === undefined) return undefined;
  const tokens = Number(digits) * (unit === "k" ? KILO : 1);
  // A safe integer: no model accepts as much, and logs show it as a number.
  return { kind: "budget", tokens: Math.min(Math.max(tokens, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) };
}

function reasoningFromEffort(effort: Effort): RequestedReasoning {
  return effort === "none" ? { kind: "off" } : { kind: "effort", effort };
}

/** Formats requested reasoning for logs and warnings. */
export function formatReasoning(requested: RequestedReasoning): string {
  if (requested.kind === "effort") return requested.effort;
  return requested.kind === "budget" ? `${requested.tokens} tokens` : requested.kind;
}

/** Returns the reasoning that settings request: the budget for models that accept one, the level for all others and without a budget. */
export function reasoningFromSettings(
  { effort, maxTokens }: { readonly effort?: Effort; readonly maxTokens?: number },
  { reasoning }: Pick<Model, "reasoning">,
): RequestedReasoning | undefined {
  const takesBudget = reasoning.kind === "budget" || reasoning.thinkingTypes.includes("enabled");
  if (maxTokens !== undefined && takesBudget) return { kind: "budget", tokens: maxTokens };
  return effort === undefined ? undefined : reasoningFromEffort(effort);
}

/** Returns the reasoning that a request asks for. */
export function reasoningFromRequest({ mode, effort, budgetTokens }: Reasoning): RequestedReasoning {
  if (mode === "off") return { kind: "off" };
  if (mode === "budget" && budgetTokens !== undefined) return { kind: "budget", tokens: budgetTokens };
  return effort === undefined ? { kind: "auto" } : reasoningFromEffort(effort);
}
