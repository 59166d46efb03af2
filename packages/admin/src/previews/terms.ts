import type { MediaLimits } from "@longhaul/condense";
import type { WorkChoice } from "@longhaul/fit";
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
  readonly window: WindowTerms;
  readonly prices?: Prices;
  readonly bindsThinking: boolean;
  readonly media: MediaLimits;
  /** The strategy that is set, or asked for, and those that are tried after it. */
  readonly choices: readonly [WorkChoice, ...WorkChoice[]];
  /** What is set for every strategy. */
  readonly configs: Readonly<Record<string, unknown>>;
  /** Who may write summaries: the conversation's own model first. */
  readonly writers: readonly [WriterTerms, ...WriterTerms[]];
  /** The profile that is set, or asked for; nobody is the conversation's own model. */
  readonly summarizer?: string;
  /** What had to be assumed. */
  readonly warnings: readonly string[];
}

/** How much the result may have. */
export interface WindowTerms {
  readonly modelTokens: number;
  /** What somebody chose instead. */
  readonly chosenTokens?: number;
  readonly budgetTokens?: number;
  readonly maxOutput: number;
  /** Most of the window that is kept free for an answer. */
  readonly outputShare: number;
  readonly floorTokens: number;
  readonly thresholdPercent?: number;
}

/** Somebody who may write summaries. */
export interface WriterTerms {
  /** Absent for the conversation's own model. */
  readonly profile?: string;
  readonly model: string;
  readonly windowTokens: number;
  readonly prices?: Prices;
}
