import type { Answer, Ask, PlanOptions } from "@longhaul/condense/advanced";
import type { WireId } from "@longhaul/conversation";
import type { CostParts } from "@longhaul/fit";
import type { LogFormat } from "@longhaul/logs";
import type { Prices, Tokenizer } from "@longhaul/models";
import type { RequestDetailAnswer } from "../api/events.ts";
import type { EstimateAnswer, PreviewAnswer, RowsPage } from "../api/previews.ts";
import type { ReplayAnswer } from "../api/replays.ts";

export type Job = PreviewJob | EstimateJob | ReplayJob | CompareJob;

export interface PreviewJob {
  readonly kind: "preview";
  readonly text: string;
  /** Everything else that the result depends on. Another page of the same text and key is served from the cache. */
  readonly key: string;
  /** Whether to call models for summaries. */
  readonly asksModels: boolean;
  readonly page: RowsPage;
}

export interface EstimateJob {
  readonly kind: "estimate";
  readonly text: string;
}

export interface ReplayJob {
  readonly kind: "replay";
  readonly text: string;
  readonly strategy: string;
}

export interface CompareJob {
  readonly kind: "compare";
  readonly before: RequestBody;
  readonly after: RequestBody;
  readonly tokenizer: Tokenizer;
  readonly page: RowsPage;
}

export interface RequestBody {
  readonly text: string;
  readonly wire: WireId;
}

export type BodyComparison = Omit<NonNullable<RequestDetailAnswer["contents"]>, "wire" | "sentWire" | "isSame">;

export type JobResult =
  | { readonly kind: "preview"; readonly answer: PreviewAnswer }
  | { readonly kind: "estimate"; readonly answer: EstimateAnswer }
  | { readonly kind: "replay"; readonly answer: ReplayAnswer }
  | { readonly kind: "compare"; readonly answer: BodyComparison };

export type Question =
  | { readonly kind: "terms"; readonly hint: Hint }
  | { readonly kind: "summary"; readonly ask: Ask };

export type QuestionAnswer =
  | { readonly kind: "terms"; readonly terms: Terms }
  | { readonly kind: "summary"; readonly answer: Answer };

export interface PreviewProtocol {
  readonly job: Job;
  readonly question: Question;
  readonly answer: QuestionAnswer;
  readonly done: JobResult;
}

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
  readonly size: ChosenSize;
  /** Possible writers of summaries, the conversation's own model first. */
  readonly writers: readonly [WriterTerms, ...WriterTerms[]];
  /** The requested or configured profile. @default the conversation's own model */
  readonly summarizer?: string;
  readonly warnings: readonly string[];
}

/** A window that includes a reply, or the exact maximum size of the result. */
export interface ChosenSize {
  readonly windowTokens?: number;
  readonly budgetTokens?: number;
}

export interface WriterTerms {
  /** Absent for the conversation's own model. */
  readonly profile?: string;
  readonly model: string;
  readonly windowTokens: number;
  readonly prices?: Prices;
  /** Actual over estimated costs of its earlier summaries. @default estimates are not corrected */
  readonly correction?: CostParts;
}
