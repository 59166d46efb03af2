import type { Splice } from "../edits/edit.ts";

/** A text must be this many times as long as its marker, because markers have more tokens per character. */
export const MARKER_WORTH = 2;

/**
 * Cuts the middle out of a text so that about `keepChars` characters are left: the head, the tail, and a marker with the amount removed.
 * Cuts at a nearby line end. Returns undefined if the text is already short enough.
 */
export function shortenMiddle(text: string, keepChars: number, offset = 0): Splice | undefined {
  const head = endOfHead(text, Math.ceil(keepChars / 2));
  const tail = startOfTail(text, Math.floor(keepChars / 2));
  const marker = missingMarker(text.slice(head, tail));
  if (tail - head <= MARKER_WORTH * marker.length) return undefined;
  return { from: offset + head, to: offset + tail, text: marker };
}

/** Returns a marker with the amount of text removed. */
export function missingMarker(missing: string): string {
  const lines = lineEnds(missing, missing.startsWith("\n") ? 1 : 0);
  const size = lines > 1 ? `${lines} lines, ${missing.length} characters` : `${missing.length} characters`;
  return `\n⟨ ... truncated: ${size} ⟩\n`;
}

/** How much of a text to keep; without `maxChars` a line counts as at most 200 characters. */
interface HeadLimits {
  readonly maxLines?: number | undefined;
  readonly maxChars?: number | undefined;
}

/** A minified file is a single long line. */
const LINE_CHARS = 200;

/** Replaces the end of a text. */
const TRUNCATED = "⟨ ... truncated ⟩";

/** Cuts a text after its first lines or characters, whichever is less. Returns undefined if it would not become shorter. */
export function truncateHead(text: string, { maxLines, maxChars }: HeadLimits, offset = 0): Splice | undefined {
  const lineEnd = maxLines === undefined ? text.length : endOfLine(text, maxLines);
  const chars = maxChars ?? (maxLines === undefined ? text.length : maxLines * LINE_CHARS);
  const head = lineEnd <= chars ? lineEnd : wholeCharacter(text, chars);
  const marker = headMarker(text, head);
  if (text.length - head <= MARKER_WORTH * marker.length) return undefined;
  return { from: offset + head, to: offset + text.length, text: marker };
}

function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return text.length;
  }
  return at;
}

function lineEnds(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function headMarker(text: string, head: number): string {
  const lines = lineEnds(text, head);
  const size = lines > 1 ? `${lines} more lines` : `${text.length - head} more characters`;
  const isLineEnd = head === 0 || text[head] === "\n";
  return `${isLineEnd ? "\n" : " "}${TRUNCATED} ${size}`;
}

/** How far to look for a line end before a line is split. */
const LINE_SLACK = 200;

function endOfHead(text: string, keep: number): number {
  const at = Math.min(keep, text.length);
  const lineEnd = text.lastIndexOf("\n", at - 1);
  return wholeCharacter(text, lineEnd >= at - LINE_SLACK && lineEnd > 0 ? lineEnd : at);
}

function startOfTail(text: string, keep: number): number {
  const at = Math.max(text.length - keep, 0);
  const lineEnd = text.indexOf("\n", at);
  return wholeCharacter(
    text,
    lineEnd !== -1 && lineEnd <= at + LINE_SLACK && lineEnd < text.length - 1 ? lineEnd + 1 : at,
  );
}

/** Moves an offset that would split a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const isLow = /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1));
  return isLow && at > 0 ? at - 1 : at;
}
