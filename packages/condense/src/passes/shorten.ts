import { aroundTag } from "../content/client-tags.ts";
import type { Content } from "../content/content.ts";
import type { Splice } from "../edits/edit.ts";
import { isShortOutcome } from "../facts/failures.ts";
import { argumentMark, leftOutMark } from "./marks.ts";

/** A text must be this many times as long as its mark, because marks have more tokens per character. */
export const MARK_WORTH = 2;

/**
 * Cuts the middle out of a content so that about `keepChars` characters are left: the head, the tail, and a mark that describes the rest.
 * Cuts at a nearby line end. An argument is replaced as a whole. Returns undefined if the content is already short enough.
 */
export function shortenMiddle(content: Content, keepChars: number): Splice | undefined {
  const { text, from, level } = content;
  if (level === "parameters") return replaceArgument(content, keepChars);
  if (isShortOutcome(content)) return undefined;
  const cut = { from: endOfHead(text, Math.ceil(keepChars / 2)), to: startOfTail(text, Math.floor(keepChars / 2)) };
  if (cut.from >= cut.to) return undefined;
  const { from: head, to: tail } = aroundTag(text, cut);
  const mark = `${head === 0 ? "" : "\n"}${leftOutMark(content, text.slice(head, tail))}${tail === text.length ? "" : "\n"}`;
  if (tail - head <= MARK_WORTH * mark.length) return undefined;
  return { from: from + head, to: from + tail, text: mark };
}

/** Replaces an argument that is too long. A cut argument would look like the assistant's own words, and a model would write the same. */
function replaceArgument(content: Content, keepChars: number): Splice | undefined {
  const { text, from, to } = content;
  const mark = argumentMark(content);
  return text.length <= Math.max(keepChars, MARK_WORTH * mark.length) ? undefined : { from, to, text: mark };
}

/** How much of a text to keep; without `maxChars` a line counts as at most 200 characters. */
interface HeadLimits {
  readonly maxLines?: number | undefined;
  readonly maxChars?: number | undefined;
}

/** A minified file is a single long line. */
const LINE_CHARS = 200;

/**
 * Cuts a content after its first lines or characters, whichever is less. An argument is replaced as a whole. Returns undefined if the
 * content would not become shorter.
 */
export function truncateHead(content: Content, { maxLines, maxChars }: HeadLimits): Splice | undefined {
  const { text, from, level } = content;
  const lineEnd = maxLines === undefined ? text.length : endOfLine(text, maxLines);
  const chars = maxChars ?? (maxLines === undefined ? text.length : maxLines * LINE_CHARS);
  const end = lineEnd <= chars ? lineEnd : wholeCharacter(text, chars);
  if (level === "parameters") return replaceArgument(content, end);
  if (isShortOutcome(content)) return undefined;
  const { from: head } = aroundTag(text, { from: end, to: text.length });
  const mark = leftOutMark(content, text.slice(head));
  if (text.length - head <= MARK_WORTH * mark.length) return undefined;
  const isLineEnd = head === 0 || text[head] === "\n";
  return { from: from + head, to: from + text.length, text: `${isLineEnd ? "\n" : " "}${mark}` };
}

function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return text.length;
  }
  return at;
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
export function wholeCharacter(text: string, at: number): number {
  const isLow = /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1));
  return isLow && at > 0 ? at - 1 : at;
}
