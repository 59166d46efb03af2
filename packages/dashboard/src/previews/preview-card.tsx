import type { PreviewAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import { spellCount, spellMs, spellPrice, spellShare } from "../format.ts";
import { Failure, Loading } from "../parts/answered.tsx";
import { Card, type Figure, Stats } from "../parts/page.tsx";
import { Facts, Waterfall } from "../rows/waterfall.tsx";
import { type ConversationChoice, ConversationField } from "./conversation-choice.tsx";
import { PreviewRows, usePreviewWithRows } from "./preview-rows.tsx";
import type { Previewed } from "./use-preview.tsx";

interface PreviewCardProps {
  readonly choice: ConversationChoice;
  readonly preview: Previewed;
}

/** What the settings on this page would make of a conversation, before anything is saved. */
export function PreviewCard({ choice, preview }: PreviewCardProps) {
  const { body, value, error, isLoading } = preview;
  return (
    <Card title="Preview" detail="nothing is saved, and no model is asked">
      <ConversationField choice={choice} />
      <Failure words={error} />
      {value === undefined || body === undefined ? (
        isLoading && <Loading />
      ) : (
        <div class="stack" aria-busy={isLoading}>
          <Effect value={value} />
          <Rows body={body} />
        </div>
      )}
    </Card>
  );
}

function Effect({ value }: { readonly value: PreviewAnswer }) {
  const { facts } = value;
  return (
    <>
      <Stats figures={figuresOf(value)} />
      {value.fallbacks.map(({ strategy, why }) => (
        <p key={strategy} class="notice warn">
          {strategy} gave up: {why}
        </p>
      ))}
      {value.passes.length === 0 ? null : <Waterfall passes={value.passes} isDry />}
      <Facts facts={{ ...facts, putBack: facts.putBack.length }} lines={facts.putBack} />
      <p class="soft small">
        For {value.model}: the window holds {spellCount(value.limits.windowTokens)} tokens
        {value.limits.isAssumed ? ", chosen so that there is something to see" : ""}; it aims at{" "}
        {spellCount(value.limits.targetTokens)}. This took {spellMs(value.milliseconds)}.
      </p>
    </>
  );
}

function figuresOf(value: PreviewAnswer): readonly Figure[] {
  const { tokensBefore, tokensAfter, messages, messagesAfter, savedPerCallUsd, fits } = value;
  return [
    {
      name: "Tokens",
      value: `${spellCount(tokensBefore)} to ${spellCount(tokensAfter)}`,
      detail: `${spellShare(1 - tokensAfter / Math.max(1, tokensBefore))} smaller, ${fits ? "fits" : "does not fit"}`,
    },
    { name: "Messages", value: `${messages} to ${messagesAfter}` },
    { name: "Saves per call", value: spellPrice(savedPerCallUsd) },
  ];
}

/** Asked for only when the reader wants to see it. */
function Rows({ body }: { readonly body: object }) {
  const [isOpen, setOpen] = useState(false);
  const preview = usePreviewWithRows(isOpen ? body : undefined);
  return (
    <details class="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Before and after, part by part</summary>
      {isOpen ? <PreviewRows preview={preview} /> : null}
    </details>
  );
}
