import type { Splice } from "./edit.ts";

/**
 * Cuts the middle out of a stretch of text so that about `keepChars` characters are left: the head, the tail, and a marker between them that
 * says how much is missing. Cuts at line ends where one is near. Nothing where the text is short enough already.
 */
export function shortenMiddle(text: string, keepChars: number, offset = 0): Splice | undefined {
  const head = endOfHead(text, Math.ceil(keepChars / 2));
  const tail = startOfTail(text, Math.floor(keepChars / 2));
  const marker = missingMarker(text.slice(head, tail));
  if (tail - head <= marker.length) return undefined;
  return { from: offset + head, to: offset + tail, text: marker };
}

/** Tells what is missing where a text was cut. */
export function missingMarker(missing: string): string {
  const lines = missing.split("\n").length - 1;
  const size = lines > 1 ? `${lines} lines, ${missing.length} characters` : `${missing.length} characters`;
  return `\n⟨ ... truncated: ${size} ⟩\n`;
}

/** How far to look for a line end before a line is cut in two. */
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

/** Moves a position that would part a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const isLow = /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1));
  return isLow && at > 0 ? at - 1 : at;
}
