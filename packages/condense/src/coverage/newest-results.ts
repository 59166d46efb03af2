import { aroundTags } from "../content/client-tags.ts";
import type { Content } from "../content/content.ts";
import { nearestCut } from "../content/cuts.ts";
import { filesReadBy } from "../content/file-reads.ts";
import { actionOf } from "../content/tool-action.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit, Splice } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { LEFT_OUT, leftOutMark } from "../passes/marks.ts";
import { mergeSplices } from "../passes/operations.ts";
import { indexesOf, joinRanges, type Range } from "../summaries/ranges.ts";
import { CandidateLines } from "./candidate-lines.ts";
import { openChoice } from "./choose.ts";
import { vocabularyOf } from "./name-index.ts";
import { aroundEssential, cutGap, markIn } from "./omissions.ts";
import { spansIn, type Vocabulary } from "./vocabulary.ts";

/**
 * Shortens the newest results if they take more than their share: a listing of a whole disk must not replace all that came before it. It runs
 * before the passes of every strategy that leaves anything out. Files that the model read stay whole: it would only read them again.
 */
export const newestResultsPass: Pass = {
  id: "newest-results",
  name: "Shorten large new results",
  applies: (view) => view.tokens > view.limits.targetTokens && surplusOfNewest(view) > 0,
  plan: planNewestResults,
};

/** Largest share of the room for messages that the newest results take. */
const MOST_SHARE = 0.25;
/** A result of this size is never shortened. */
const LEAST_TOKENS = 2_000;

/** The newest results with their tokens, and how many each may have. */
interface NewestResults {
  readonly results: readonly Content[];
  readonly sizes: readonly number[];
  readonly maxTokens: number;
}

function measureNewest(view: View): NewestResults {
  const results = newestResults(view);
  const sizes = results.map((content) => view.counter.countText(content.text));
  const roomTokens = view.limits.targetTokens - (view.tokens - sum(view.messageTokens));
  return { results, sizes, maxTokens: Math.max(LEAST_TOKENS, largestSize(sizes, MOST_SHARE * roomTokens)) };
}

/** Returns the tokens of the newest results over their share. */
export function surplusOfNewest(view: View): number {
  const { sizes, maxTokens } = measureNewest(view);
  return sum(sizes.map((size) => Math.max(0, size - maxTokens)));
}

/** Number of messages at the end that every strategy keeps, with their calls and results. */
const KEPT_AT_END = 3;

function newestResults(view: View): Content[] {
  const { length } = view.conversation.messages;
  const from = nearestCut(view.cuts(), Math.max(0, length - KEPT_AT_END), "down");
  return view.contents().contents.filter((content) => content.at.message >= from && isOutput(content));
}

function isOutput({ level, use }: Content): boolean {
  if (level !== "result" || use === undefined || use.callMessage === -1) return false;
  return actionOf(use) !== "read" && filesReadBy(use).length === 0;
}

function planNewestResults(view: View): Edit[] {
  const { results, sizes, maxTokens } = measureNewest(view);
  const vocabulary = vocabularyOf(view.conversation.messages);
  const edits = results.flatMap((content, index): Edit[] => {
    const tokens = sizes[index] ?? 0;
    const splices = tokens <= maxTokens ? [] : shorten(content, { tokens, maxTokens }, { view, vocabulary });
    return splices.length === 0 ? [] : [{ kind: "splice", at: content.at, splices, reason: "truncate" }];
  });
  return mergeSplices(edits);
}

/** Returns the size that each of the larger ones may have, so that all together have `allowed`. */
function largestSize(sizes: readonly number[], allowed: number): number {
  let left = allowed;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

interface Size {
  readonly tokens: number;
  readonly maxTokens: number;
}

/** Shares of a shortened result for its first and its last lines. Totals and errors come last. */
const HEAD_SHARE = 0.15;
const TAIL_SHARE = 0.25;

/** Upper bound of the tokens of the mark that names the result. */
const MARK_TOKENS = 40;

/** Keeps both ends of a result, and the lines between them that are most likely needed. */
function shorten(
  content: Content,
  { tokens, maxTokens }: Size,
  { view, vocabulary }: { readonly view: View; readonly vocabulary: Vocabulary },
): Splice[] {
  const { text } = content;
  const tokensPerCharacter = tokens / text.length;
  const leftTokens = maxTokens - MARK_TOKENS;
  const middle = middleOf(content, leftTokens / tokensPerCharacter);
  const ends = spansIn(content).filter(({ from, to }) => to <= middle.from || from >= middle.to);
  const read = ({ text: part }: Content, { from, to }: Range = { from: 0, to: part.length }) =>
    vocabulary.termsIn(part.slice(from, to));
  const lines = new CandidateLines();
  const markTokens = view.counter.countText(markIn(content));
  lines.add({ content: partOf(content, middle), group: 0, tokensPerCharacter, recency: 0, markTokens }, { read });
  const groups = [{ tokens: 0, terms: [], isKept: true }];
  const covered = ends.flatMap((span) => read(content, span));
  const probabilities = vocabulary.probabilities();
  const choice = openChoice({ lines, groups, probabilities, covered })((1 - HEAD_SHARE - TAIL_SHARE) * leftTokens);
  const gone = indexesOf({ from: 0, to: lines.size }).filter((unit) => !choice.isChosen(unit));
  const offset = middle.from;
  const gaps = joinRanges(gone.map((unit) => ({ from: offset + lines.from(unit), to: offset + lines.to(unit) })));
  return markGaps(content, aroundTags(text, aroundEssential(content, gaps, false)));
}

/** Returns the part of a text between its first and its last lines. */
function middleOf(content: Content, maxCharacters: number): Range {
  const spans = spansIn(content);
  const { length } = content.text;
  const from = spans.find(({ to }) => to > HEAD_SHARE * maxCharacters)?.from ?? 0;
  const to = spans.findLast((span) => span.from < length - TAIL_SHARE * maxCharacters)?.to ?? length;
  return { from, to };
}

function partOf(content: Content, { from, to }: Range): Content {
  return { ...content, from: content.from + from, to: content.from + to, text: content.text.slice(from, to) };
}

/** The longest gap says what the result was, and how much of it is missing. */
function markGaps(content: Content, gaps: readonly Range[]): Splice[] {
  const [longest] = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const missing = gaps.map(({ from, to }) => content.text.slice(from, to)).join("");
  const mark = leftOutMark(content, missing);
  const whole = gaps.length === 1 ? mark : `${mark.slice(0, -LEFT_OUT.length)}${AND_ELSEWHERE}${LEFT_OUT}`;
  return gaps.flatMap((gap) => cutGap(content, gap, gap === longest ? whole : markIn(content)) ?? []);
}

/** Says that a mark counts the lines of the other gaps too. */
const AND_ELSEWHERE = ", here and at the dots,";
