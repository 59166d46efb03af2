import { diffLines, diffWordsWithSpace } from "diff";

export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

export interface ReferencePart {
  readonly kind: "reference";
  readonly mark: string;
  readonly text: string;
}

/** Pairs each removed part with the added part after it: in a deduplicated text, the added part is the reference. */
export function withReferences(parts: readonly DiffPart[]): readonly (DiffPart | ReferencePart)[] {
  return parts.flatMap((part, index): readonly (DiffPart | ReferencePart)[] => {
    const [before, next] = [parts[index - 1], parts[index + 1]];
    if (part.kind === "removed" && next?.kind === "added") return [];
    if (part.kind !== "added" || before?.kind !== "removed") return [part];
    return [{ kind: "reference", mark: part.text, text: before.text }];
  });
}

/** Longer texts are compared by lines, because the time to compare words grows with both texts. */
const MAX_WORD_CHARS = 4_000;
/** Longer texts are not compared. */
const MAX_LINE_CHARS = 200_000;
const MAX_MS = 200;

/** Compares two texts. Comparing by lines is faster. */
export function diffParts(before: string, after: string, by: "words" | "lines" = "words"): readonly DiffPart[] {
  const chars = before.length + after.length;
  const options = { timeout: MAX_MS };
  const found =
    by === "words" && chars <= MAX_WORD_CHARS
      ? diffWordsWithSpace(before, after, options)
      : chars <= MAX_LINE_CHARS
        ? diffLines(before, after, options)
        : undefined;
  if (found === undefined) return whole(before, after);
  return found.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function whole(before: string, after: string): readonly DiffPart[] {
  const parts: readonly DiffPart[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  return parts.filter(({ text }) => text !== "");
}

/** Browsers lay out a paragraph as a whole: one of several megabytes blocks the page for seconds. */
const PIECE_CHARS = 4_000;

/** Splits a text into pieces that can be laid out one by one: at line ends, or within lines that are too long. */
export function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOf(text, from);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function endOf(text: string, from: number): number {
  const limit = from + PIECE_CHARS;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf("\n", limit - 1);
  if (line >= from) return line + 1;
  const splitsSurrogatePair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return splitsSurrogatePair ? limit - 1 : limit;
}
