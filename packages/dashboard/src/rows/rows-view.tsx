import type { RowAnswer } from "@longhaul/admin/api";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { type Option, Segments } from "../components/controls.tsx";
import { LongList } from "../components/long-list.tsx";
import { ErrorNotice } from "../components/status.tsx";
import { useMutation } from "../gateway/gateway.tsx";
import { common } from "../strings/common.ts";
import { toLabel } from "../strings/format.ts";
import { strings } from "../strings/playground.ts";
import { PinButton, type Pins, usePins } from "./pins.tsx";
import { type RowSource, useRowPages } from "./row-pages.tsx";
import { type DiffPart, diffParts, type ReferencePart, textPieces, withReferences } from "./text-parts.ts";

const { rows: texts } = strings;

/** Two columns, or one text with deletions and insertions. */
type Layout = "side" | "inline";

const LAYOUTS: readonly Option<Layout>[] = [
  ["side", texts.sideBySide],
  ["inline", texts.inline],
];

const HEIGHT = 640;
/** Estimated heights, in pixels, of a row's frame and of a line of text. */
const FRAME_HEIGHT = 62;
const LINE_HEIGHT = 21;
const MAX_LINES = 14;

/** Compares a conversation before and after condensing. Only visible rows are loaded and rendered. */
export function RowsView({ source }: { readonly source: RowSource }) {
  const [layout, setLayout] = useState<Layout>("side");
  const { rows, need, error, retry } = useRowPages(source);
  const indexes = useMemo(() => Array.from({ length: source.rowCount }, (_, at) => at), [source.rowCount]);
  const guess = useCallback((at: number) => guessHeight(rows.get(at)), [rows]);
  const pins = usePins();
  const [jump, setJump] = useState<{ readonly index: number }>();
  return (
    <div class="stack tight">
      <div class="row">
        <Segments label={texts.layout} options={LAYOUTS} value={layout} onChoose={setLayout} />
        <ChangeJumps changed={source.changed} at={jump?.index} onJump={(index) => setJump({ index })} />
      </div>
      <ErrorNotice message={error} onRetry={retry} />
      <LongList items={indexes} keyOf={String} guessHeight={guess} label={texts.title} height={HEIGHT} scrollTo={jump}>
        {(at) => <RowAt at={at} row={rows.get(at)} layout={layout} need={need} whole={source.whole} pins={pins} />}
      </LongList>
    </div>
  );
}

interface ChangeJumpsProps {
  readonly changed: readonly number[];
  /** The change that was last jumped to. */
  readonly at: number | undefined;
  readonly onJump: (index: number) => void;
}

function ChangeJumps({ changed, at, onJump }: ChangeJumpsProps) {
  if (changed.length === 0) return null;
  const position = at === undefined ? -1 : changed.indexOf(at);
  const jump = (step: number) => {
    const next = changed[(position + step + changed.length) % changed.length];
    if (next !== undefined) onJump(next);
  };
  return (
    <>
      <Button label={texts.previousChange} disabled={position <= 0} onClick={() => jump(-1)} />
      <Button label={texts.nextChange} onClick={() => jump(1)} />
      <span class="soft small" role="status">
        {texts.changeOf(position + 1, changed.length)}
      </span>
    </>
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
  readonly pins: Pins;
}

function RowAt({ at, row, layout, need, whole, pins }: RowAtProps) {
  useEffect(() => {
    if (row === undefined) need(at);
  }, [at, row, need]);
  const [expanded, setExpanded] = useState<{ readonly of: RowAnswer; readonly whole: RowAnswer }>();
  const { run, isBusy } = useMutation();
  if (row === undefined) return <div class="row-part" aria-busy="true" />;
  const shown = expanded?.of === row ? expanded.whole : row;
  const expand = async () => {
    const found = await run(() => whole(at));
    if (found !== undefined) setExpanded({ of: row, whole: found });
  };
  const change = texts.changes[row.fate];
  const kind = texts.kinds[row.kind];
  return (
    <article class="row-part" data-fate={row.fate} aria-label={texts.label(row.role, row.kind, change)}>
      <header class="row">
        <strong>{row.kind === "result" ? texts.roleOfResults : toLabel(row.role)}</strong>
        <span class="soft">{row.name === undefined ? kind : texts.kind(kind, row.name)}</span>
        <span class={`badge ${BADGES[row.fate]}`}>{change}</span>
        <span class="soft small">{row.why}</span>
        <span class="soft small number push">{common.tokensBeforeAfter(row.tokensBefore, row.tokensAfter)}</span>
        {row.hash === undefined ? null : <PinButton hash={row.hash} pins={pins} />}
      </header>
      <RowTexts row={shown} layout={layout} />
      {row.isCut && shown === row ? (
        <div>
          <Button label={texts.showAll} disabled={isBusy} onClick={expand} />
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

function RowTexts({ row, layout }: { readonly row: RowAnswer; readonly layout: Layout }) {
  const { before, after, fate } = row;
  if (fate === "kept") return <TextBlock text={after ?? before ?? ""} />;
  if (layout === "inline" || (before !== undefined && after !== undefined)) {
    return <Comparison before={before ?? ""} after={after ?? ""} fate={fate} layout={layout} />;
  }
  return (
    <div class="sides">
      {before === undefined ? <div /> : <TextBlock text={before} look="removed" />}
      {after === undefined ? <div /> : <TextBlock text={after} look="added" />}
    </div>
  );
}

interface ComparisonProps extends Pick<RowAnswer, "fate"> {
  readonly before: string;
  readonly after: string;
  readonly layout: Layout;
}

function Comparison({ before, after, fate, layout }: ComparisonProps) {
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
        const Tag = TAGS[kind];
        return (
          <Tag key={index}>
            <Pieces text={text} />
          </Tag>
        );
      })}
    </>
  );
}

const TAGS = { same: "span", added: "ins", removed: "del" } as const;

/** A reference that expands to the text that it replaces. */
function Reference({ part: { mark, text } }: { readonly part: ReferencePart }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button label={mark.trimEnd()} class="reference" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
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
  readonly children?: ComponentChildren;
}

/** Text of a conversation. Long texts scroll, so they must be reachable by keyboard. */
function TextBlock({ text, look, children }: TextBlockProps) {
  const scrolls = text.length > SHORT_CHARS || text.split("\n", SHORT_LINES).length === SHORT_LINES;
  return (
    <pre class={`text-block ${look ?? ""}`} {...(scrolls ? { tabIndex: 0 } : {})}>
      {children ?? <Pieces text={text} />}
    </pre>
  );
}

/** Text in pieces, so that the browser lays out only the visible ones. */
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

/** Shorter texts never reach the maximum height of a row. */
const SHORT_CHARS = 300;
const SHORT_LINES = 8;
