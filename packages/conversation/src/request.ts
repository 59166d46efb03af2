import type { Carrier } from "./block.ts";
import type { JsonObject } from "./json.ts";
import type { Conversation } from "./message.ts";

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
