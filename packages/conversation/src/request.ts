import type { Carrier } from "./block.ts";
import type { Conversation } from "./message.ts";
import { type JsonObject, table } from "./values/json.ts";

/** What a client asks of a model, whatever format it speaks. */
export interface Request extends Carrier {
  readonly model: string;
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** The most tokens that the reply may have, reasoning included. */
  readonly maxOutputTokens?: number;
  readonly sampling: Sampling;
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly reasoning?: Reasoning;
  readonly outputFormat?: OutputFormat;
  /** Who the end user is, in the client's own words. */
  readonly user?: string;
}

/** How the model picks its words. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
}

/** Whether and which tools the model must call. */
export type ToolChoice =
  | { readonly kind: "auto" }
  | { readonly kind: "none" }
  | { readonly kind: "required" }
  | { readonly kind: "tool"; readonly name: string };

/** How hard a model should think; `none` turns reasoning off. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** How much the model should think, and whether to show it. */
export interface Reasoning {
  /** `adaptive` lets the model decide, within `effort` where it is given. */
  readonly mode: "off" | "effort" | "budget" | "adaptive";
  readonly effort?: Effort;
  readonly budgetTokens?: number;
  /** Leave the reasoning out of the reply. */
  readonly exclude?: boolean;
}

/** The shape that the reply's text must have. */
export type OutputFormat =
  | { readonly kind: "json" }
  | { readonly kind: "json-schema"; readonly name?: string; readonly schema: JsonObject; readonly strict?: boolean };

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
