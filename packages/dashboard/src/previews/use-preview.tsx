import type { PreviewAnswer } from "@longhaul/settings";
import { spellCount, spellUsd } from "../format.ts";
import type { JsonRecord } from "../forms/schema.ts";
import { type Posted, REST_MS, usePosted } from "../gateway/gateway.tsx";
import { asBody, type Conversation } from "./conversations.ts";

/** What is to be previewed. */
export interface PreviewWish {
  readonly conversation: Conversation;
  readonly strategy: string;
  readonly config: JsonRecord;
  /** The profile whose settings hold. */
  readonly profile?: string;
  readonly windowTokens?: number;
}

/** A preview without its rows. */
export type Previewed = Posted<PreviewAnswer>;

/** Previews a wish, and again whenever it changes. No model is asked, nothing is kept. */
export function usePreview(wish: PreviewWish | undefined): Previewed {
  const body = wish === undefined ? undefined : { ...wish, conversation: asBody(wish.conversation), limit: 0 };
  return usePosted<PreviewAnswer>("/preview", body, { restMs: REST_MS });
}

/** What one condensation would cost with what is chosen now; stands beside every button that puts something in force. */
export function CostNote({ preview: { value, error, isLoading } }: { readonly preview: Previewed }) {
  if (error !== "") return <p class="cost-note fault">No estimate: {error}</p>;
  return (
    <p class="cost-note" aria-live="polite" aria-busy={isLoading}>
      {value === undefined ? "Estimating …" : <Estimate value={value} />}
    </p>
  );
}

function Estimate({ value: { summaries, tokensBefore, tokensAfter } }: { readonly value: PreviewAnswer }) {
  const { asks, writer, estimatedUsd } = summaries;
  const size = `${spellCount(tokensBefore)} to ${spellCount(tokensAfter)} tokens`;
  if (asks === 0) {
    return (
      <>
        <strong>$0</strong> for a condensation, no model is asked; {size}
      </>
    );
  }
  return (
    <>
      <strong>{estimatedUsd === null ? "Unknown price" : `About ${spellUsd(estimatedUsd)}`}</strong> for a condensation,{" "}
      {asks === 1 ? "one summary" : `${asks} summaries`} by {writer}; {size}
    </>
  );
}
