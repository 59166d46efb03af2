import type { PlanOptions } from "@longhaul/condense";
import type { LogFormat } from "@longhaul/logs";
import type { Prices, Tokenizer } from "@longhaul/models";

/** What a conversation says of the model that it was had with. */
export interface Hint {
  readonly format: LogFormat;
  readonly model?: string;
}

/** What a conversation is measured for. Plain data: it is handed to another thread. */
export interface Terms {
  readonly model: string;
  readonly upstream?: string;
  readonly tokenizer: Tokenizer;
  /** Tokens of the model for one of its encoding. @default the tokenizer's */
  readonly ratio?: number;
  /** How the gateway would condense the conversation in the model's own window. */
  readonly plan: PlanOptions;
  /** The size that the caller chose instead of the model's own. */
  readonly size: ChosenSize;
  /** Who may write summaries: the conversation's own model first. */
  readonly writers: readonly [WriterTerms, ...WriterTerms[]];
  /** The profile that is set, or asked for; nobody is the conversation's own model. */
  readonly summarizer?: string;
  /** What had to be assumed. */
  readonly warnings: readonly string[];
}

/** A window to fit, with room for a reply; or exactly the tokens that the result may have. */
export interface ChosenSize {
  readonly windowTokens?: number;
  readonly budgetTokens?: number;
}

/** Somebody who may write summaries. */
export interface WriterTerms {
  /** Absent for the conversation's own model. */
  readonly profile?: string;
  readonly model: string;
  readonly windowTokens: number;
  readonly prices?: Prices;
}
