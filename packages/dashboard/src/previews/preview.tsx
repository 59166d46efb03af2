import type { PreviewAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
import { Card, type Stat, Stats } from "../components/page.tsx";
import { ErrorNotice, Loading, Warnings } from "../components/status.tsx";
import type { JsonRecord } from "../forms/schema.ts";
import { DEBOUNCE_MS, type PostResult, useGateway, usePost } from "../gateway/gateway.tsx";
import { PAGE_ROWS, type RowSource } from "../rows/row-pages.tsx";
import { RowsView } from "../rows/rows-view.tsx";
import { Facts, Waterfall, withNote } from "../rows/waterfall.tsx";
import { common } from "../strings/common.ts";
import { formatDuration, formatPercent, formatPrice, formatUsd } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";
import { type ConversationChoice, ConversationField, choiceBody } from "./conversation-choice.tsx";

const texts = strings.preview;

interface PreviewOptions {
  readonly strategy: string;
  readonly config: JsonRecord;
  readonly profile?: string;
}

/** A preview without its rows. */
export type Preview = PostResult<PreviewAnswer>;

/** Previews a strategy on the chosen conversation, and again when either changes. Without options, the previous preview stays. */
export function usePreview(choice: ConversationChoice, options: PreviewOptions | undefined): Preview {
  const chosen = choiceBody(choice);
  const body = chosen === undefined || options === undefined ? undefined : { ...chosen, ...options, limit: 0 };
  return usePost<PreviewAnswer>("/preview", body, { debounceMs: DEBOUNCE_MS });
}

export function PreviewCard({ choice, preview }: { readonly choice: ConversationChoice; readonly preview: Preview }) {
  const { body, value, error, isLoading } = preview;
  return (
    <Card title={texts.title} detail={texts.detail}>
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
  const { facts, limits } = value;
  return (
    <>
      <Stats stats={effectStats(value, value.fits ? texts.fits : texts.tooLarge)} />
      <Warnings texts={value.fallbacks.map(({ strategy, why }) => texts.failed(strategy, why))} />
      {value.passes.length === 0 ? null : <Waterfall passes={withNote(value.passes, value.tokensAfter)} isDry />}
      <Facts facts={{ ...facts, putBack: facts.putBack.length }} lines={facts.putBack} />
      <p class="soft small">
        {texts.measured(value.model, limits.targetTokens, formatDuration(value.milliseconds))} {describeWindow(limits)}
      </p>
    </>
  );
}

/** Describes the context window of a preview, and whether it was reduced to force condensing. */
export function describeWindow({
  windowTokens,
  isAssumed,
}: Pick<PreviewAnswer["limits"], "windowTokens" | "isAssumed">) {
  return isAssumed ? texts.assumedWindow(windowTokens) : texts.window(windowTokens);
}

export function effectStats(value: PreviewAnswer, describeSize: (percent: string) => string): readonly Stat[] {
  const { tokensBefore, tokensAfter, messages, messagesAfter, savedPerCallUsd } = value;
  const smaller = formatPercent(1 - tokensAfter / Math.max(1, tokensBefore));
  return [
    { name: texts.tokens, value: common.beforeAfter(tokensBefore, tokensAfter), detail: describeSize(smaller) },
    { name: texts.messages, value: texts.messagesChange(messages, messagesAfter) },
    { name: texts.savings, value: formatPrice(savedPerCallUsd) },
  ];
}

/** Loads the rows when the reader opens them. */
function Rows({ body }: { readonly body: object }) {
  const [isOpen, setOpen] = useState(false);
  const preview = usePreviewWithRows(isOpen ? body : undefined);
  return (
    <details class="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.compare}</summary>
      {isOpen ? <PreviewRows preview={preview} /> : null}
    </details>
  );
}

export function usePreviewWithRows(body: object | undefined): Preview {
  return usePost<PreviewAnswer>("/preview", body === undefined ? undefined : { ...body, limit: PAGE_ROWS });
}

export function PreviewRows({ preview }: { readonly preview: Preview }) {
  const { body, value, error, isLoading } = preview;
  const { api } = useGateway();
  const source = useMemo<RowSource | undefined>(() => {
    if (value === undefined) return undefined;
    const ask = (more: object) => api.send<PreviewAnswer>("POST", "/preview", { ...body, ...more });
    return {
      rowCount: value.rowCount,
      changed: value.changed,
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

/** The estimated cost of one condensation, shown beside every button that activates settings. */
export function CostNote({ preview: { value, error, isLoading } }: { readonly preview: Preview }) {
  if (error !== "") return <p class="cost-note fault">{strings.estimate.failed(error)}</p>;
  return (
    <p class="cost-note" aria-live="polite" aria-busy={isLoading}>
      {value === undefined ? strings.estimate.loading : <Estimate value={value} />}
    </p>
  );
}

function Estimate({ value: { summaries, tokensBefore, tokensAfter } }: { readonly value: PreviewAnswer }) {
  const { free, noModel, about, unknown, summaries: withSummaries } = strings.estimate;
  const { asks, writer, estimatedUsd } = summaries;
  const tokens = common.beforeAfter(tokensBefore, tokensAfter);
  const price = estimatedUsd === null ? unknown : about(formatUsd(estimatedUsd));
  return (
    <>
      <strong>{asks === 0 ? free : price}</strong> {asks === 0 ? noModel(tokens) : withSummaries(asks, writer, tokens)}
    </>
  );
}
