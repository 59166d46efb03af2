import { nearestCut } from "../content/cuts.ts";
import { fields, setting, wholeNumber } from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import { defineStrategy, type Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Ask, Edit } from "../edits/edit.ts";
import { MERGE_PROMPT, SUMMARY_PROMPT } from "../summaries/prompts.ts";
import {
  askFromScratch,
  earlierSummary,
  middleOf,
  type Range,
  rangesAround,
  rangesOf,
  summaryNote,
  summaryOptionsOf,
  summarySettings,
} from "../summaries/ranges.ts";
import { keptUserMessages, summarizeRange, userMessageSettings } from "../summaries/user-messages.ts";

const schema = fields({
  chunkSize: setting(wholeNumber(2), 20),
  levels: setting(wholeNumber(1, 5), 3),
  preserveTop: setting(wholeNumber(0), 1),
  preserveBottom: setting(wholeNumber(1), 5),
  ...summarySettings,
  ...userMessageSettings,
});

type TreeSummaryConfig = OutputOf<typeof schema>;

/** Summaries of chunks, and summaries of those, for very long conversations. */
export const treeSummary = defineStrategy({
  id: "tree-summary",
  name: "Tree summary",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: true,
    individualMode: false,
    multiPass: true,
    summarizes: true,
    speed: "slow",
  },
  schema,
  stopsAtTarget: true,
  passes: (config) => [
    { id: "level-1", name: "Summaries of chunks", plan: (view) => planChunks(view, config) },
    ...Array.from({ length: config.levels - 1 }, (_, index) => joiningPass(index + 2, config)),
  ],
});

function joiningPass(level: number, config: TreeSummaryConfig): Pass {
  return { id: `level-${level}`, name: `Summaries of level ${level - 1}`, plan: (view) => planJoins(view, config) };
}

function planChunks(view: View, config: TreeSummaryConfig): Edit[] {
  const options = summaryOptionsOf(config, SUMMARY_PROMPT);
  const middle = middleOf(view, config);
  const kept = keptUserMessages(view, middle, config.userShare);
  const fresh = rangesAround(view, middle).flatMap((range) => withoutSummaries(view, range));
  return fresh
    .flatMap((range) => chunksOf(view, range, config.chunkSize))
    .flatMap((chunk) => summarizeRange(view, { ...chunk, kept, options, write: summaryNote }));
}

/** Returns the parts of a range without earlier summaries. */
function withoutSummaries(view: View, { from, to }: Range): Range[] {
  const ranges: Range[] = [];
  let start = from;
  for (let index = from; index <= to; index++) {
    if (index < to && earlierSummary(view, index) === undefined) continue;
    if (start < index) ranges.push({ from: start, to: index });
    start = index + 1;
  }
  return ranges;
}

/** Splits a range into chunks of about `size` messages, without splitting tool pairs. */
function chunksOf(view: View, { from, to }: Range, size: number): Range[] {
  const count = Math.max(1, Math.round((to - from) / size));
  const bounds = Array.from({ length: count + 1 }, (_, index) => {
    const bound = from + Math.round(((to - from) * index) / count);
    return Math.min(to, nearestCut(view.cuts(), bound, "up"));
  });
  return bounds.slice(1).flatMap((end, index): Range[] => {
    const start = bounds[index] ?? from;
    return start < end ? [{ from: start, to: end }] : [];
  });
}

/** Joins adjacent summaries, `chunkSize` at a time. Messages of the user between them stay, before the joined summary. */
function planJoins(view: View, config: TreeSummaryConfig): Edit[] {
  const options = { ...summaryOptionsOf(config, MERGE_PROMPT), prompt: MERGE_PROMPT };
  return summaryRuns(view)
    .flatMap((run) => groupsOf(run, config.chunkSize))
    .flatMap((group) => joinSummaries(group, askFromScratch(view, group, options)));
}

function joinSummaries(group: readonly number[], ask: Ask): Edit[] {
  const ranges = rangesOf(group);
  const joined = { ...summaryNote(ask), since: group[0] ?? 0 };
  return ranges.map((range) => ({
    kind: "replace",
    ...range,
    with: range === ranges.at(-1) ? [joined] : [],
    reason: "summarize",
  }));
}

/** Returns the indexes of adjacent summaries; only messages of the user may be between them. */
function summaryRuns(view: View): number[][] {
  const { userAuthored } = view.contents();
  const runs: number[][] = [[]];
  for (const index of view.conversation.messages.keys()) {
    if (earlierSummary(view, index) !== undefined) runs.at(-1)?.push(index);
    else if (userAuthored[index] !== true || index === view.latestUserMessage) runs.push([]);
  }
  return runs;
}

function groupsOf(run: readonly number[], size: number): number[][] {
  const count = Math.ceil(run.length / size);
  const groups = Array.from({ length: count }, (_, index) => run.slice(index * size, (index + 1) * size));
  return groups.filter((group) => group.length > 1);
}
