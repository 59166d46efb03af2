import type { RowAnswer } from "@longhaul/admin/api";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type Option, Segments } from "../components/controls.tsx";
import { LongList } from "../components/long-list.tsx";
import { ErrorNotice } from "../components/status.tsx";
import { useMutation } from "../gateway/gateway.tsx";
import { formatCount, toLabel } from "../strings/format.ts";
import { type RowSource, useRowPages } from "./row-pages.tsx";
import { type DiffPart, diffParts, type ReferencePart, textPieces, withReferences } from "./text-parts.ts";

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
      <ErrorNotice message={error} onRetry={retry} />
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
  const { run: make, isBusy } = useMutation();
  if (row === undefined) return <div class="row-part" aria-busy="true" />;
  const shown = grown?.of === row ? grown.whole : row;
  const grow = async () => {
    const found = await make(() => whole(at));
    if (found !== undefined) setGrown({ of: row, whole: found });
  };
  return (
    <article class="row-part" data-fate={row.fate} aria-label={`${row.role}, ${row.kind}, ${row.fate}`}>
      <header class="row">
        <strong>{toLabel(row.role)}</strong>
        <span class="soft">{row.name === undefined ? toLabel(row.kind) : `${toLabel(row.kind)} · ${row.name}`}</span>
        <span class={`badge ${BADGES[row.fate]}`}>{row.fate}</span>
        <span class="soft small">{row.why}</span>
        <span class="soft small number push">
          {row.tokensBefore === row.tokensAfter
            ? formatCount(row.tokensBefore)
            : `${formatCount(row.tokensBefore)} to ${formatCount(row.tokensAfter)}`}
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

/** How two texts are set: beside each other, or as one with what went and what came. */
export type Layout = "side" | "inline";

/** What a part said before and says after. */
export function RowTexts({ row, layout }: { readonly row: RowAnswer; readonly layout: Layout }) {
  const { before, after, fate } = row;
  if (fate === "kept") return <TextBlock text={before ?? after ?? ""} />;
  if (layout === "inline" || (before !== undefined && after !== undefined)) {
    return <Compared before={before ?? ""} after={after ?? ""} fate={fate} layout={layout} />;
  }
  return (
    <div class="sides">
      {before === undefined ? <div /> : <TextBlock text={before} look="removed" />}
      {after === undefined ? <div /> : <TextBlock text={after} look="added" />}
    </div>
  );
}

interface ComparedProps extends Pick<RowAnswer, "fate"> {
  readonly before: string;
  readonly after: string;
  readonly layout: Layout;
}

/** Two texts, and what is different between them. */
function Compared({ before, after, fate, layout }: ComparedProps) {
  const by = layout === "inline" ? "words" : "lines";
  const parts = useMemo(() => diffParts(before, after, by), [before, after, by]);
  if (layout === "inline") {
    return (
      <TextBlock text={`${before}${after}`}>
        <Parts parts={parts} />
      </TextBlock>
    );
  }
  const sent = fate === "referenced" ? withReferences(parts) : parts;
  return (
    <div class="sides compared">
      <TextBlock text={before} look="removed">
        <Parts parts={parts.filter(({ kind }) => kind !== "added")} />
      </TextBlock>
      <TextBlock text={after} look="added">
        <Parts parts={sent.filter(({ kind }) => kind !== "removed")} />
      </TextBlock>
    </div>
  );
}

function Parts({ parts }: { readonly parts: readonly (DiffPart | ReferencePart)[] }) {
  return (
    <>
      {parts.map((part, index) => {
        if (part.kind === "reference") return <Reference key={index} part={part} />;
        const { kind, text } = part;
        const Kind = KINDS[kind];
        return (
          <Kind key={index}>
            <Pieces text={text} />
          </Kind>
        );
      })}
    </>
  );
}

const KINDS = { same: "span", added: "ins", removed: "del" } as const;

/** A reference, which shows in its own place what it stands for. */
function Reference({ part: { marker, text } }: { readonly part: ReferencePart }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="reference" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {marker.trimEnd()}
      </button>
      {"\n"}
      {isOpen ? (
        <span class="expanded">
          <Pieces text={text} />
        </span>
      ) : null}
    </>
  );
}

interface TextBlockProps {
  readonly text: string;
  readonly look?: "removed" | "added";
  /** In place of the text alone. */
  readonly children?: ComponentChildren;
}

/** What somebody said, as text. Long texts scroll by themselves. */
function TextBlock({ text, look, children }: TextBlockProps) {
  const scrolls = text.length > SHORT_CHARS || text.split("\n", SHORT_LINES).length === SHORT_LINES;
  return (
    <pre class={`said ${look ?? ""}`} {...(scrolls ? { tabIndex: 0 } : {})}>
      {children ?? <Pieces text={text} />}
    </pre>
  );
}

/** A long text, of which the browser lays out what is in sight. */
function Pieces({ text }: { readonly text: string }) {
  const pieces = useMemo(() => textPieces(text), [text]);
  if (pieces.length < 2) return <>{text}</>;
  return (
    <>
      {pieces.map((piece, index) => (
        <span key={index} class="piece">
          {piece}
        </span>
      ))}
    </>
  );
}

/** What is no longer than this is never as tall as a row may be. */
const SHORT_CHARS = 300;
const SHORT_LINES = 8;
