import type { RowAnswer } from "@longhaul/settings";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type DiffPart, diffParts, type ReferencePart, textPieces, withReferences } from "./text-parts.ts";

/** How two texts are set: beside each other, or as one with what went and what came. */
export type Layout = "side" | "inline";

/** What a part said before and says after. */
export function RowTexts({ row, layout }: { readonly row: RowAnswer; readonly layout: Layout }) {
  const { before, after, fate } = row;
  if (fate === "kept") return <Said text={before ?? after ?? ""} />;
  if (layout === "inline" || (before !== undefined && after !== undefined)) {
    return <Compared before={before ?? ""} after={after ?? ""} fate={fate} layout={layout} />;
  }
  return (
    <div class="sides">
      {before === undefined ? <div /> : <Said text={before} look="removed" />}
      {after === undefined ? <div /> : <Said text={after} look="added" />}
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
      <Said text={`${before}${after}`}>
        <Parts parts={parts} />
      </Said>
    );
  }
  const sent = fate === "referenced" ? withReferences(parts) : parts;
  return (
    <div class="sides compared">
      <Said text={before} look="removed">
        <Parts parts={parts.filter(({ kind }) => kind !== "added")} />
      </Said>
      <Said text={after} look="added">
        <Parts parts={sent.filter(({ kind }) => kind !== "removed")} />
      </Said>
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

interface SaidProps {
  readonly text: string;
  readonly look?: "removed" | "added";
  /** In place of the text alone. */
  readonly children?: ComponentChildren;
}

/** What somebody said, as text. Long texts scroll by themselves. */
function Said({ text, look, children }: SaidProps) {
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
