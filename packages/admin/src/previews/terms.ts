import type { PlanOptions } from "@longhaul/condense";
import type { LogFormat } from "@longhaul/logs";
import type { Prices, Tokenizer } from "@longhaul/models";

/** The format and the model of a log or a request. */
export interface Hint {
  readonly format: LogFormat;
  readonly model?: string;
}

/** The model, plan and writers that a conversation is measured for. Plain data, because it is sent to another thread. */
export interface Terms {
  readonly model: string;
  readonly upstream?: string;
  readonly tokenizer: Tokenizer;
  /** The model's tokens per token of its encoding. @default the tokenizer's */
  readonly ratio?: number;
  /** How the gateway would condense the conversation in the model's own window. */
  readonly plan: PlanOptions;
  /** The size that the caller chose instead of the model's own. */
  readonly size: ChosenSize;
  /** Possible writers of summaries, the conversation's own model first. */
  readonly writers: readonly [WriterTerms, ...WriterTerms[]];
  /** The requested or configured profile. @default the conversation's own model */
  readonly summarizer?: string;
  /** Assumptions that were made. */
  readonly warnings: readonly string[];
}

/** A window that includes a reply, or the exact maximum size of the result. */
export interface ChosenSize {
  readonly windowTokens?: number;
  readonly budgetTokens?: number;
}

/** A possible writer of summaries. */
export interface WriterTerms {
  /** Absent for the conversation's own model. */
  readonly profile?: string;
  readonly model: string;
  readonly windowTokens: number;
  readonly prices?: Prices;
}
