import { type Ask, renderAsk } from "@longhaul/condense";
import { NO_USAGE } from "@longhaul/conversation/advanced";
import { costOf, type TokenCounter } from "@longhaul/models";
import type { Terms, WriterTerms } from "./protocol.ts";

export type MeasuredAsk = Readonly<ReturnType<typeof measureAsk>>;

/** Counts an ask. Its excerpt is shortened in the middle if it is long. */
export function measureAsk(ask: Ask, counter: TokenCounter) {
  const { expectedTokens: outputTokens, maxTokens, profile } = ask;
  const text = renderAsk(ask);
  const inputTokens = counter.countText(text);
  return { inputTokens, outputTokens, maxTokens, excerpt: excerptOf(text), ...(profile !== undefined && { profile }) };
}

/** Instructions are at the beginning, or around the messages. */
const HEAD_CHARS = 6_000;
const TAIL_CHARS = 2_000;

function excerptOf(text: string): string {
  const left = text.length - HEAD_CHARS - TAIL_CHARS;
  if (left <= 0) return text;
  return `${text.slice(0, HEAD_CHARS)}\n\n[… ${left} characters …]\n\n${text.slice(-TAIL_CHARS)}`;
}

/** Describes the writers of asks, each once. Without asks, the writer that would be used. */
export function describeWriters(asked: readonly Pick<MeasuredAsk, "profile">[], terms: Terms): string {
  const writers = (asked.length === 0 ? [{}] : asked).map((one: Pick<MeasuredAsk, "profile">) => {
    const { profile, model } = writerFor(terms, one.profile);
    return profile === undefined ? model : `${profile} (${model})`;
  });
  return [...new Set(writers)].join(", ");
}

/**
 * Returns the cost of asks with a writer, corrected by its earlier summaries, or null if its prices are unknown. Asks that are too long for
 * the writer's window are shortened before they are sent.
 */
export function costOfAsks(asked: readonly MeasuredAsk[], writer: AskPrices): number | null {
  const { prices, windowTokens, correction } = writer;
  if (asked.length === 0) return 0;
  if (prices === undefined) return null;
  const { promptUsd: prompt, outputUsd: output } = correction ?? UNCORRECTED;
  return asked.reduce((sum, { inputTokens: wholeTokens, outputTokens, maxTokens }) => {
    const inputTokens = Math.min(wholeTokens, Math.max(0, windowTokens - maxTokens));
    const promptUsd = costOf({ ...NO_USAGE, inputTokens }, prices);
    const outputUsd = costOf({ ...NO_USAGE, inputTokens, outputTokens }, prices) - promptUsd;
    return sum + promptUsd * prompt + outputUsd * output;
  }, 0);
}

type AskPrices = Pick<WriterTerms, "prices" | "windowTokens" | "correction">;

const UNCORRECTED = { promptUsd: 1, outputUsd: 1 };

/** Returns the cost of asks with the profile of their pass, else with the configured one, or null if it is unknown. */
export function configuredCost(asked: readonly MeasuredAsk[], terms: Terms): number | null {
  const costs = asked.map((summary) => costOfAsks([summary], writerFor(terms, summary.profile)));
  return costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
}

/** Returns the writer of a summary: the profile's model, or the conversation's own if the profile does not exist. */
export function writerFor(
  { writers, summarizer }: Pick<Terms, "writers" | "summarizer">,
  profile = summarizer,
): WriterTerms {
  return writers.find((writer) => writer.profile === profile) ?? writers[0];
}

export function sizeOfAsks(asked: readonly MeasuredAsk[]) {
  return {
    inputTokens: asked.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: asked.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}
