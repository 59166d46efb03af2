/** A part of a text. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Tags around the notes of a client to the model. */
const REMINDER = { open: "<system-reminder>", close: "</system-reminder>" } as const;

/** Tags of clients around notes, errors and output. */
const TAG = /<(\/?)(system-reminder|tool_use_error|local-command-stdout|bash-std(?:out|err))>/g;

/** Removes reminders of the client, and the tags around errors. */
export function withoutClientTags(text: string): string {
  if (!text.includes("</")) return text;
  return withoutRanges(text, remindersIn(text)).replace(/<\/?tool_use_error>/g, "");
}

/** Returns a text without ranges, which must be in order. */
export function withoutRanges(text: string, ranges: readonly Range[]): string {
  return [...ranges, { from: text.length }]
    .map(({ from }, index) => text.slice(ranges[index - 1]?.to ?? 0, from))
    .join("");
}

/** Returns where the reminders are, each with the line end after it. A regular expression would take quadratic time without closing tags. */
function remindersIn(text: string): Range[] {
  const found: Range[] = [];
  for (let from = text.indexOf(REMINDER.open); from !== -1; ) {
    const close = text.indexOf(REMINDER.close, from);
    if (close === -1) break;
    const end = close + REMINDER.close.length;
    const to = text[end] === "\n" ? end + 1 : end;
    found.push({ from, to });
    from = text.indexOf(REMINDER.open, to);
  }
  return found;
}

/** Extends the gaps in a text so that they leave no part of a reminder, and no closing tag whose opening tag is in a gap. */
export function aroundTags(text: string, gaps: readonly Range[]): Range[] {
  if (gaps.length === 0 || !text.includes("</")) return [...gaps];
  const cut = union(gaps);
  const torn = remindersIn(text).filter(({ from, to }) => (firstAfter(cut, from)?.from ?? to) < to);
  const found = union([...cut, ...torn]);
  return union([...found, ...loneClosings(text, found)]);
}

/** Extends a gap in a text so that it cuts no tag in two and leaves no part of a reminder. */
export function aroundTag(text: string, gap: Range): Range {
  const tags = Array.from(text.matchAll(TAG), ({ 0: tag, index }) => ({ from: index, to: index + tag.length }));
  const torn = [...remindersIn(text), ...tags].filter(({ from, to }) => from < gap.to && gap.from < to);
  return torn.reduce((found, { from, to }) => ({ from: Math.min(found.from, from), to: Math.max(found.to, to) }), gap);
}

function loneClosings(text: string, gaps: readonly Range[]): Range[] {
  const isLeftOut = (at: number) => (firstAfter(gaps, at)?.from ?? text.length) <= at;
  const lone: Range[] = [];
  const opened = new Map<string, number>();
  for (const { 0: tag, 1: slash, 2: name = "", index } of text.matchAll(TAG)) {
    const opening = opened.get(name);
    if (slash === "") opened.set(name, index);
    else if (opening !== undefined && isLeftOut(opening)) lone.push({ from: index, to: index + tag.length });
  }
  return lone;
}

/** Returns the first range that ends after a place. The ranges must be in order and apart. */
function firstAfter(ranges: readonly Range[], at: number): Range | undefined {
  let low = 0;
  for (let high = ranges.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return ranges[low];
}

/** Joins ranges that overlap or touch. */
function union(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < from) joined.push({ from, to });
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return joined;
}
