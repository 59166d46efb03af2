import type { RowAnswer } from "@longhaul/settings";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { inWords, spellCount } from "../format.ts";
import { useChange } from "../gateway/change.tsx";
import { Failure } from "../parts/answered.tsx";
import { type Option, Segments } from "../parts/choice.tsx";
import { LongList } from "../parts/long-list.tsx";
import { type Layout, RowTexts } from "./row-texts.tsx";
import { type RowSource, useRowPages } from "./use-row-pages.tsx";

const LAYOUTS: readonly Option<Layout>[] = [
  ["side", "Side by side"],
  ["inline", "Inline"],
];

const HEIGHT = 640;
/** About what a row takes until it is drawn: its frame, and a line of text. */
const FRAME_HEIGHT = 62;
const LINE_HEIGHT = 21;
const MAX_LINES = 14;

/** A conversation before and after, part by part. Only what is in sight is fetched and drawn. */
export function RowsView({ source }: { readonly source: RowSource }) {
  const [layout, setLayout] = useState<Layout>("side");
  const { rows, need, error, retry } = useRowPages(source);
  const places = useMemo(() => Array.from({ length: source.rowCount }, (_, at) => at), [source.rowCount]);
  const guess = useCallback((at: number) => guessHeight(rows.get(at)), [rows]);
  return (
    <div class="stack tight">
      <Segments label="Layout" options={LAYOUTS} value={layout} onChoose={setLayout} />
      <Failure words={error} onRetry={retry} />
      <LongList items={places} keyOf={String} guessHeight={guess} label="Before and after" height={HEIGHT}>
        {(at) => <RowAt at={at} row={rows.get(at)} layout={layout} need={need} whole={source.whole} />}
      </LongList>
    </div>
  );
}

function guessHeight(row: RowAnswer | undefined): number {
  const chars = Math.max(row?.before?.length ?? 80, row?.after?.length ?? 0);
  return FRAME_HEIGHT + LINE_HEIGHT * Math.min(MAX_LINES, Math.ceil(chars / 70));
}

interface RowAtProps {
  readonly at: number;
  readonly row: RowAnswer | undefined;
  readonly layout: Layout;
  readonly need: (at: number) => void;
  readonly whole: RowSource["whole"];
}

function RowAt({ at, row, layout, need, whole }: RowAtProps) {
  useEffect(() => {
    if (row === undefined) need(at);
  }, [at, row, need]);
  const [grown, setGrown] = useState<{ readonly of: RowAnswer; readonly whole: RowAnswer }>();
  const { make, isBusy } = useChange();
  if (row === undefined) return <div class="row-part" aria-busy="true" />;
  const shown = grown?.of === row ? grown.whole : row;
  const grow = async () => {
    const found = await make(() => whole(at));
    if (found !== undefined) setGrown({ of: row, whole: found });
  };
  return (
    <article class="row-part" data-fate={row.fate} aria-label={`${row.role}, ${row.kind}, ${row.fate}`}>
      <header class="row">
        <strong>{inWords(row.role)}</strong>
        <span class="soft">{row.name === undefined ? inWords(row.kind) : `${inWords(row.kind)} · ${row.name}`}</span>
        <span class={`badge ${BADGES[row.fate]}`}>{row.fate}</span>
        <span class="soft small">{row.why}</span>
        <span class="soft small number push">
          {row.tokensBefore === row.tokensAfter
            ? spellCount(row.tokensBefore)
            : `${spellCount(row.tokensBefore)} to ${spellCount(row.tokensAfter)}`}
        </span>
      </header>
      <RowTexts row={shown} layout={layout} />
      {row.isCut && shown === row ? (
        <div>
          <button type="button" disabled={isBusy} onClick={() => void grow()}>
            Show all of it
          </button>
        </div>
      ) : null}
    </article>
  );
}

const BADGES: Readonly<Record<RowAnswer["fate"], string>> = {
  kept: "",
  referenced: "accent",
  shortened: "warn",
  suppressed: "bad",
  summarised: "accent",
  dropped: "bad",
  added: "good",
};
