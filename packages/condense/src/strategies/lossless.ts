import { z } from "zod";
import { defineStrategy, type Pass } from "../contract/strategy.ts";
import { obsoletePass } from "../passes/obsolete.ts";
import { consolidatePass, referencesPass, repeatedReadsPass } from "../passes/references.ts";

/** What can be taken out without a loss, and one thing that cannot. */
export const losslessSchema = z.strictObject({
  references: z
    .enum(["off", "results", "all"])
    .default("results")
    .describe(
      "Where lines that stand further up give way to references: nowhere, in tool results, or also in what the assistant wrote.",
    ),
  deduplicateFileReads: z
    .boolean()
    .default(true)
    .describe("Replaces whole repeated reads of a file, even where references are off."),
  consolidateToolResults: z
    .boolean()
    .default(true)
    .describe("Replaces results that the same operation gave before; errors and results that differ are kept."),
  removeObsoleteState: z
    .boolean()
    .default(false)
    .describe(
      "Also removes what a later message tells anew: earlier reads, snapshots and runs of a command. This is not lossless.",
    ),
});

/** The passes of a lossless configuration; what is obsolete goes first, so that nothing points to it. */
export function losslessPasses(config: z.infer<typeof losslessSchema>): Pass[] {
  const { references, deduplicateFileReads, consolidateToolResults, removeObsoleteState } = config;
  const isOff = references === "off";
  return [
    ...(removeObsoleteState ? [obsoletePass] : []),
    ...(consolidateToolResults && isOff ? [consolidatePass] : []),
    ...(deduplicateFileReads && isOff ? [repeatedReadsPass] : []),
    ...(isOff ? [] : [referencesPass({ references, consolidates: consolidateToolResults })]),
  ];
}

/** Replaces repeats by references; nothing is lost. */
export const lossless = defineStrategy({
  id: "lossless",
  name: "Lossless",
  description:
    "Replaces lines that already stand further up by references to them. Nothing is lost: every reference can be written out again exactly.",
  version: "1.0.0",
  capabilities: {
    lossless: true,
    batchMode: false,
    individualMode: false,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  },
  guide: {
    loses: "nothing",
    chooseFor: "agents that see the same lines again and again; sessions that must lose nothing",
    figures: {
      tokensLeftPercent: 61.4,
      milliseconds: 37,
      modelCalls: 0,
      costUsd: 0,
      recallAtQuarter: 0.821,
    },
    recommendation: {
      rank: 10,
      reason: "repeats alone make enough room: nothing is lost, and no summary has to be paid for",
    },
    firstSettings: ["references", "removeObsoleteState"],
  },
  schema: losslessSchema,
  stopsAtTarget: false,
  refersEarly: true,
  passes: losslessPasses,
});
