import type { PreviewAnswer } from "@longhaul/settings";
import { useEffect, useState } from "preact/hooks";
import { spellCount, spellMs, spellShare, spellUsd } from "../format.ts";
import { useGateway } from "../gateway.tsx";
import { Failure, Loading } from "../parts/answered.tsx";
import { Card, type Figure, Stats } from "../parts/page.tsx";
import { PAGE_ROWS } from "../rows/row-pages.ts";
import { RowsView } from "../rows/rows-view.tsx";
import type { RowSource } from "../rows/use-row-pages.tsx";
import { Waterfall } from "../rows/waterfall.tsx";
import { type ConversationChoice, ConversationField } from "./conversation-choice.tsx";
import { bodyOf, type Previewed, type PreviewWish } from "./use-preview.tsx";

interface PreviewCardProps {
  readonly choice: ConversationChoice;
  readonly preview: Previewed;
}

/** What the settings on this page would make of a conversation, before anything is saved. */
export function PreviewCard({ choice, preview }: PreviewCardProps) {
  const { wish, value, error, isLoading } = preview;
  return (
    <Card title="Preview" detail="nothing is saved, and no model is asked">
      <ConversationField choice={choice} />
      <Failure words={error} />
      {value === undefined || wish === undefined ? (
        isLoading && <Loading />
      ) : (
        <div class="stack" aria-busy={isLoading}>
          <Effect value={value} />
          <Rows wish={wish} />
        </div>
      )}
    </Card>
  );
}

function Effect({ value }: { readonly value: PreviewAnswer }) {
  return (
    <>
      <Stats figures={figuresOf(value)} />
      {value.fallbacks.map(({ strategy, why }) => (
        <p key={strategy} class="notice warn">
          {strategy} gave up: {why}
        </p>
      ))}
      {value.passes.length === 0 ? null : <Waterfall passes={value.passes} />}
      <p class="soft small">
        For {value.model}: the window holds {spellCount(value.limits.windowTokens)} tokens
        {value.limits.isAssumed ? ", chosen so that there is something to see" : ""}; it aims at{" "}
        {spellCount(value.limits.targetTokens)}. This took {spellMs(value.milliseconds)}.
      </p>
    </>
  );
}

function figuresOf(value: PreviewAnswer): readonly Figure[] {
  const { tokensBefore, tokensAfter, messages, messagesAfter, savedPerCallUsd, facts, fits } = value;
  return [
    {
      name: "Tokens",
      value: `${spellCount(tokensBefore)} to ${spellCount(tokensAfter)}`,
      detail: `${spellShare(1 - tokensAfter / Math.max(1, tokensBefore))} smaller, ${fits ? "fits" : "does not fit"}`,
    },
    { name: "Messages", value: `${messages} to ${messagesAfter}` },
    { name: "Saves per call", value: savedPerCallUsd === null ? "unknown" : spellUsd(savedPerCallUsd) },
    ...(facts.found === 0
      ? []
      : [
          {
            name: "Facts kept",
            value: `${facts.retainedBySummary} of ${facts.found}`,
            detail: `${facts.putBack.length} put back`,
          },
        ]),
  ];
}

/** Asked for only when the reader wants to see it. */
function Rows({ wish }: { readonly wish: PreviewWish }) {
  const { api } = useGateway();
  const [isOpen, setOpen] = useState(false);
  const [source, setSource] = useState<RowSource>();
  useEffect(() => {
    if (!isOpen) return undefined;
    let isWanted = true;
    const ask = (more: object) => api.send<PreviewAnswer>("POST", "/preview", { ...bodyOf(wish), ...more });
    const show = ({ rowCount, rows }: PreviewAnswer) => {
      const page: RowSource["page"] = async (from, limit) => (await ask({ from, limit })).rows;
      if (isWanted) setSource({ rowCount, rows, page, whole: async (row) => (await ask({ row })).rows[0] });
    };
    // What is wrong with it is said above.
    ask({ limit: PAGE_ROWS }).then(show, () => setSource(undefined));
    return () => {
      isWanted = false;
    };
  }, [api, wish, isOpen]);
  return (
    <details class="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Before and after, part by part</summary>
      {isOpen && source !== undefined ? <RowsView source={source} /> : null}
    </details>
  );
}
