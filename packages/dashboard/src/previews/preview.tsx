import type { PreviewAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
import { Card, type Stat, Stats } from "../components/page.tsx";
import { ErrorNotice, Loading } from "../components/status.tsx";
import type { JsonRecord } from "../forms/schema.ts";
import { DEBOUNCE_MS, type PostResult, useGateway, usePost } from "../gateway/gateway.tsx";
import { PAGE_ROWS, type RowSource } from "../rows/row-pages.tsx";
import { RowsView } from "../rows/rows-view.tsx";
import { Facts, Waterfall } from "../rows/waterfall.tsx";
import { formatCount, formatDuration, formatPercent, formatPrice, formatUsd } from "../strings/format.ts";
import {
  type Conversation,
  type ConversationChoice,
  ConversationField,
  conversationBody,
} from "./conversation-choice.tsx";

interface PreviewCardProps {
  readonly choice: ConversationChoice;
  readonly preview: Preview;
}

/** What the settings on this page would make of a conversation, before anything is saved. */
export function PreviewCard({ choice, preview }: PreviewCardProps) {
  const { body, value, error, isLoading } = preview;
  return (
    <Card title="Preview" detail="nothing is saved, and no model is asked">
      <ConversationField choice={choice} />
      <ErrorNotice message={error} />
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
        For {value.model}: the window holds {formatCount(value.limits.windowTokens)} tokens
        {value.limits.isAssumed ? ", chosen so that there is something to see" : ""}; it aims at{" "}
        {formatCount(value.limits.targetTokens)}. This took {formatDuration(value.milliseconds)}.
      </p>
    </>
  );
}

function figuresOf(value: PreviewAnswer): readonly Stat[] {
  const { tokensBefore, tokensAfter, messages, messagesAfter, savedPerCallUsd, fits } = value;
  return [
    {
      label: "Tokens",
      value: `${formatCount(tokensBefore)} to ${formatCount(tokensAfter)}`,
      detail: `${formatPercent(1 - tokensAfter / Math.max(1, tokensBefore))} smaller, ${fits ? "fits" : "does not fit"}`,
    },
    { label: "Messages", value: `${messages} to ${messagesAfter}` },
    { label: "Saves per call", value: formatPrice(savedPerCallUsd) },
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

/** What is to be previewed. */
export interface PreviewRequest {
  readonly conversation: Conversation;
  readonly strategy: string;
  readonly config: JsonRecord;
  /** The profile whose settings hold. */
  readonly profile?: string;
  readonly windowTokens?: number;
}

/** What a preview is asked for, where there is something to try it on. */
export function previewRequest(
  { chosen, windowTokens }: ConversationChoice,
  what: Omit<PreviewRequest, "conversation" | "windowTokens">,
): PreviewRequest | undefined {
  if (chosen === undefined) return undefined;
  return { conversation: chosen.conversation, ...(windowTokens === undefined ? {} : { windowTokens }), ...what };
}

/** A preview without its rows. */
export type Preview = PostResult<PreviewAnswer>;

/** Previews a wish, and again whenever it changes. No model is asked, nothing is kept. */
export function usePreview(wish: PreviewRequest | undefined): Preview {
  const body =
    wish === undefined ? undefined : { ...wish, conversation: conversationBody(wish.conversation), limit: 0 };
  return usePost<PreviewAnswer>("/preview", body, { debounceMs: DEBOUNCE_MS });
}

/** What one condensation would cost with what is chosen now; stands beside every button that puts something in force. */
export function CostNote({ preview: { value, error, isLoading } }: { readonly preview: Preview }) {
  if (error !== "") return <p class="cost-note fault">No estimate: {error}</p>;
  return (
    <p class="cost-note" aria-live="polite" aria-busy={isLoading}>
      {value === undefined ? "Estimating …" : <Estimate value={value} />}
    </p>
  );
}

function Estimate({ value: { summaries, tokensBefore, tokensAfter } }: { readonly value: PreviewAnswer }) {
  const { asks, writer, estimatedUsd } = summaries;
  const size = `${formatCount(tokensBefore)} to ${formatCount(tokensAfter)} tokens`;
  if (asks === 0) {
    return (
      <>
        <strong>$0</strong> for a condensation, no model is asked; {size}
      </>
    );
  }
  return (
    <>
      <strong>{estimatedUsd === null ? "Unknown price" : `About ${formatUsd(estimatedUsd)}`}</strong> for a
      condensation, {asks === 1 ? "one summary" : `${asks} summaries`} by {writer}; {size}
    </>
  );
}

/** A preview with the first of its rows. */
export function usePreviewWithRows(body: object | undefined): PostResult<PreviewAnswer> {
  return usePost<PreviewAnswer>("/preview", body === undefined ? undefined : { ...body, limit: PAGE_ROWS });
}

/** What a preview makes of a conversation, part by part. */
export function PreviewRows({ preview }: { readonly preview: PostResult<PreviewAnswer> }) {
  const { body, value, error, isLoading } = preview;
  const { api } = useGateway();
  const source = useMemo<RowSource | undefined>(() => {
    if (value === undefined) return undefined;
    const ask = (more: object) => api.send<PreviewAnswer>("POST", "/preview", { ...body, ...more });
    return {
      rowCount: value.rowCount,
      rows: value.rows,
      page: async (from, limit) => (await ask({ from, limit })).rows,
      whole: async (row) => (await ask({ row })).rows[0],
    };
  }, [api, body, value]);
  return (
    <>
      <ErrorNotice message={error} />
      {source === undefined ? isLoading && <Loading /> : <RowsView source={source} />}
    </>
  );
}
