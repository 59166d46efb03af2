import type { Carrier } from "./block.ts";
import type { Conversation } from "./message.ts";
import { type JsonObject, table } from "./values/json.ts";

/** A request to a model, independent of the wire format. */
export interface Request extends Carrier {
  readonly model: string;
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** Maximum number of tokens in the reply, including reasoning. */
  readonly maxOutputTokens?: number;
  readonly sampling: Sampling;
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly reasoning?: Reasoning;
  readonly outputFormat?: OutputFormat;
  /** The client's identifier for the end user. */
  readonly user?: string;
}

/** Sampling parameters. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
}

/** Whether the model must call a tool, and which one. */
export type ToolChoice =
  | { readonly kind: "auto" }
  | { readonly kind: "none" }
  | { readonly kind: "required" }
  | { readonly kind: "tool"; readonly name: string };

/** Reasoning effort; `none` turns reasoning off. */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** How much the model should reason, and whether the reply shows it. */
export interface Reasoning {
  /** `adaptive` lets the model decide, within `effort` if it is set. */
  readonly mode: "off" | "effort" | "budget" | "adaptive";
  readonly effort?: Effort;
  readonly budgetTokens?: number;
  /** Leave the reasoning out of the reply. */
  readonly exclude?: boolean;
}

/** Required format of the reply's text. */
export type OutputFormat =
  | { readonly kind: "json" }
  | { readonly kind: "json-schema"; readonly name?: string; readonly schema: JsonObject; readonly strict?: boolean };

/** All effort levels, from low to high. */
export const EFFORTS: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Token budget of each effort level. These are the only published thresholds that survive a round trip. */
const BUDGETS: Readonly<Record<Effort, number>> = table({
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 128_000,
});

/** Returns the lowest effort level whose budget covers the given tokens. */
export function effortOfBudget(tokens: number): Effort {
  return EFFORTS.find((effort) => tokens <= BUDGETS[effort]) ?? "max";
}

/** Returns the token budget of an effort level. */
export function budgetOfEffort(effort: Effort): number {
  return BUDGETS[effort];
}

/** Returns the nearest known effort level, the higher one of two; the level itself if none is known. */
export function nearestEffort(effort: Effort, known: readonly Effort[]): Effort {
  const wanted = EFFORTS.indexOf(effort);
  const distance = (candidate: Effort) => Math.abs(EFFORTS.indexOf(candidate) - wanted);
  const higherFirst = known.toSorted((left, right) => EFFORTS.indexOf(right) - EFFORTS.indexOf(left));
  return higherFirst.toSorted((left, right) => distance(left) - distance(right))[0] ?? effort;
}
