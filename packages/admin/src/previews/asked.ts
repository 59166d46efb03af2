import { type Ask, renderAsk } from "@longhaul/condense";
import { NO_USAGE } from "@longhaul/conversation";
import { costOf, type Prices, type TokenCounter } from "@longhaul/models";
import type { Terms, WriterTerms } from "./terms.ts";

/** A summary that was asked for, in tokens. */
export interface AskedSummary {
  readonly inputTokens: number;
  /** As long as the answer will likely be. */
  readonly outputTokens: number;
  /** The longest that it may be. */
  readonly maxTokens: number;
  readonly profile?: string;
  /** What its writer is told; the middle is left out where it is long. */
  readonly told: string;
}

/** How large an ask is when it is written out as text. */
export function measureAsk(ask: Ask, counter: TokenCounter): AskedSummary {
  const { expectedTokens: outputTokens, maxTokens, profile } = ask;
  const text = renderAsk(ask);
  const inputTokens = counter.countText(text);
  return { inputTokens, outputTokens, maxTokens, told: excerptOf(text), ...(profile !== undefined && { profile }) };
}

/** Instructions stand at the beginning, or around the messages. */
const HEAD_CHARS = 6_000;
const TAIL_CHARS = 2_000;

function excerptOf(text: string): string {
  const left = text.length - HEAD_CHARS - TAIL_CHARS;
  if (left <= 0) return text;
  return `${text.slice(0, HEAD_CHARS)}\n\n[… ${left} characters …]\n\n${text.slice(-TAIL_CHARS)}`;
}

/** Who writes the summaries, each once; whoever would write them where there are none. */
export function writersOf(asked: readonly Pick<AskedSummary, "profile">[], terms: Terms): string {
  const writers = (asked.length === 0 ? [{}] : asked).map((one: Pick<AskedSummary, "profile">) => {
    const { profile, model } = writerFor(terms, one.profile);
    return profile === undefined ? model : `${profile} (${model})`;
  });
  return [...new Set(writers)].join(", ");
}

/** What summaries cost where these prices hold; null where they are not known. */
export function costOfAsked(asked: readonly AskedSummary[], prices: Prices | undefined): number | null {
  if (asked.length === 0) return 0;
  if (prices === undefined) return null;
  return asked.reduce(
    (sum, { inputTokens, outputTokens }) => sum + costOf({ ...NO_USAGE, inputTokens, outputTokens }, prices),
    0,
  );
}

/** What summaries cost where each is written by whom its pass names, or else by whom the settings do. */
export function costAsSet(asked: readonly AskedSummary[], terms: Terms): number | null {
  const costs = asked.map((summary) => costOfAsked([summary], writerFor(terms, summary.profile).prices));
  return costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** Who writes a summary. A profile that does not exist gives way to the conversation's own model. */
export function writerFor(
  { writers, summarizer }: Pick<Terms, "writers" | "summarizer">,
  profile = summarizer,
): WriterTerms {
  return writers.find((writer) => writer.profile === profile) ?? writers[0];
}

/** What tokens that are gone would cost as input of one more call; null where no price is known. */
export function savedPerCall(goneTokens: number, { plan }: Pick<Terms, "plan">): number | null {
  const prices = plan.model?.prices;
  return prices === undefined ? null : costOf({ ...NO_USAGE, inputTokens: goneTokens }, prices);
}

/** How much is to be read and written for summaries. */
export function sizeOf(asked: readonly AskedSummary[]) {
  return {
    inputTokens: asked.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: asked.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
