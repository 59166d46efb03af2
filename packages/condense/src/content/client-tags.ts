/** A part of a text. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Notes of a client to the model, inside its tags. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>\n?/g;

/** Tags of clients around notes, errors and output. */
const TAG = /<(\/?)(system-reminder|tool_use_error|local-command-stdout|bash-std(?:out|err))>/g;

/** Removes reminders of the client, and the tags around errors. */
export function withoutClientTags(text: string): string {
  return text.includes("</") ? text.replace(REMINDER, "").replace(/<\/?tool_use_error>/g, "") : text;
}

/** Extends the gaps in a text so that they leave no part of a reminder, and no closing tag whose opening tag is in a gap. */
export function aroundTags(text: string, gaps: readonly Range[]): Range[] {
  if (gaps.length === 0 || !text.includes("</")) return [...gaps];
  const reminders = [...text.matchAll(REMINDER)].map(({ 0: block, index }) => ({
    from: index,
    to: index + block.length,
  }));
  const torn = reminders.filter((block) => gaps.some((gap) => gap.from < block.to && block.from < gap.to));
  const found = union([...gaps, ...torn]);
  return union([...found, ...loneClosings(text, found)]);
}

function loneClosings(text: string, gaps: readonly Range[]): Range[] {
  const isLeftOut = (at: number) => gaps.some(({ from, to }) => from <= at && at < to);
  const lone: Range[] = [];
  const opened = new Map<string, number>();
  for (const { 0: tag, 1: slash, 2: name = "", index } of text.matchAll(TAG)) {
    const opening = opened.get(name);
    if (slash === "") opened.set(name, index);
    else if (opening !== undefined && isLeftOut(opening)) lone.push({ from: index, to: index + tag.length });
  }
  return lone;
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
