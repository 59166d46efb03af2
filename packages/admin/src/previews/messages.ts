import type { Answer, Ask } from "@longhaul/condense";
import type { WireId } from "@longhaul/conversation";
import type { Tokenizer } from "@longhaul/models";
import type { EstimateAnswer, PreviewAnswer, RowAnswer, RowsPage } from "../api/previews.ts";
import type { Hint, Terms } from "./terms.ts";

/** What the thread for previews is given to do. */
export type Job = PreviewJob | EstimateJob | CompareJob;

/** Shows what a strategy makes of a conversation. */
export interface PreviewJob {
  readonly kind: "preview";
  readonly text: string;
  /** What else it depends on: the same text with the same words is not condensed again to show another page. */
  readonly key: string;
  /** Whether models write the summaries. */
  readonly asksModels: boolean;
  readonly page: RowsPage;
}

/** Compares strategies and profiles. */
export interface EstimateJob {
  readonly kind: "estimate";
  readonly text: string;
}

/** Sets a request as it came beside what was sent. */
export interface CompareJob {
  readonly kind: "compare";
  readonly before: WrittenBody;
  readonly after: WrittenBody;
  readonly tokenizer: Tokenizer;
  readonly page: RowsPage;
}

/** A request's body, and the format that it is in. */
export interface WrittenBody {
  readonly text: string;
  readonly wire: WireId;
}

/** A request beside what was sent. */
export interface Compared {
  readonly messagesBefore: number;
  readonly messagesAfter: number;
  /** What was put back under its summaries, line by line. */
  readonly putBack: string[];
  readonly rowCount: number;
  readonly rows: RowAnswer[];
}

/** What a job comes to. */
export type Done =
  | { readonly kind: "preview"; readonly answer: PreviewAnswer }
  | { readonly kind: "estimate"; readonly answer: EstimateAnswer }
  | { readonly kind: "compare"; readonly answer: Compared };

/** What a job needs to know of the gateway. */
export type Question =
  | { readonly kind: "terms"; readonly hint: Hint }
  | { readonly kind: "summary"; readonly ask: Ask };

/** What it is told. */
export type Told =
  | { readonly kind: "terms"; readonly terms: Terms }
  | { readonly kind: "summary"; readonly answer: Answer };

/** What the thread for previews does. */
export interface PreviewProtocol {
  readonly job: Job;
  readonly question: Question;
  readonly told: Told;
  readonly done: Done;
}
