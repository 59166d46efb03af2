import { z } from "zod";
import { nearestCut } from "../content/cuts.ts";
import { defineStrategy, type Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { MERGE_PROMPT, SUMMARY, SUMMARY_PROMPT } from "../summaries/prompts.ts";
import {
  askAbout,
  askFromScratch,
  earlierSummary,
  middleOf,
  type Range,
  rangesAround,
  type SummaryOptions,
  summaryNote,
  summaryOptionsOf,
  summarySettings,
} from "../summaries/ranges.ts";

const schema = z.strictObject({
  chunkSize: z
    .int()
    .min(2)
    .default(20)
    .describe("Number of messages per summary, and of summaries that are merged into one."),
  levels: z
    .int()
    .min(1)
    .max(5)
    .default(3)
    .describe("Maximum number of summary levels. A level is added only until the target is reached."),
  preserveTop: z
    .int()
    .min(0)
    .default(1)
    .describe("Messages kept at the start, or more if a tool call would be separated from its result."),
  preserveBottom: z
    .int()
    .min(1)
    .default(5)
    .describe("Messages kept at the end, or more if a tool call would be separated from its result."),
  ...summarySettings,
});

type TreeSummaryConfig = z.infer<typeof schema>;

/** Summaries of chunks, and summaries of those, for very long conversations. */
export const treeSummary = defineStrategy({
  id: "tree-summary",
  name: "Tree summary",
  description: "Summarizes a very long conversation in chunks, then joins the summaries level by level.",
  version: "1.0.0",
  capabilities: {
    lossless: false,
    batchMode: true,
    individualMode: false,
    multiPass: true,
    summarizes: true,
    speed: "slow",
  },
  guide: {
    loses: "medium",
    chooseFor: "conversations far larger than the summarizer's window",
    figures: {
      tokensLeftPercent: 34.9,
      milliseconds: 194,
      modelCalls: 19,
      costUsd: 0.929,
      recallAtQuarter: 0.851,
    },
    recommendation: {
      rank: 50,
      reason: "it is too long for one summary, so summaries of its parts are summarized again",
    },
    firstSettings: ["chunkSize", "preserveBottom", "profile"],
    prompts: [SUMMARY, { id: "merge", use: "Joins adjacent summaries into one", text: MERGE_PROMPT }],
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
  const fresh = rangesAround(view, middleOf(view, config)).flatMap((range) => withoutSummaries(view, range));
  return fresh
    .flatMap((range) => chunksOf(view, range, config.chunkSize))
    .flatMap((chunk) => replaceChunk(view, chunk, options));
}

function replaceChunk(view: View, chunk: Range, options: SummaryOptions): Edit[] {
  const ask = askAbout(view, chunk, options);
  return ask === undefined ? [] : [{ kind: "replace", ...chunk, with: [summaryNote(ask)], reason: "summarize" }];
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

/** Joins adjacent summaries, `chunkSize` at a time. */
function planJoins(view: View, config: TreeSummaryConfig): Edit[] {
  const options = { ...summaryOptionsOf(config, MERGE_PROMPT), prompt: MERGE_PROMPT };
  const groups = summaryRuns(view).flatMap((run) => groupsOf(run, config.chunkSize));
  return groups.map((group): Edit => {
    return {
      kind: "replace",
      ...group,
      with: [summaryNote(askFromScratch(view, group, options))],
      reason: "summarize",
    };
  });
}

function summaryRuns(view: View): Range[] {
  const all = { from: 0, to: view.conversation.messages.length };
  const between = withoutSummaries(view, all);
  const bounds = [0, ...between.flatMap(({ from, to }) => [from, to]), all.to];
  return Array.from({ length: bounds.length / 2 }, (_, index) => ({
    from: bounds[2 * index] ?? 0,
    to: bounds[2 * index + 1] ?? 0,
  }));
}

function groupsOf({ from, to }: Range, size: number): Range[] {
  const count = Math.ceil((to - from) / size);
  const groups = Array.from({ length: count }, (_, index) => ({
    from: from + index * size,
    to: Math.min(to, from + (index + 1) * size),
  }));
  return groups.filter((group) => group.to - group.from > 1);
}
