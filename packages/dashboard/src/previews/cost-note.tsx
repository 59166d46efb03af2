import type { PreviewAnswer } from "@longhaul/settings";
import { spellCount, spellUsd } from "../format.ts";
import type { Previewed } from "./use-preview.tsx";

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
