import { choice, fields, flag, setting } from "../contract/setting.ts";
import type { OutputOf } from "../contract/standard-schema.ts";
import { defineStrategy, type Pass } from "../contract/strategy.ts";
import { obsoletePass } from "../passes/obsolete.ts";
import { consolidatePass, referencesPass, repeatedReadsPass } from "../passes/references.ts";

/** Settings of `lossless`; one of them is lossy. */
export const losslessSchema = fields({
  references: setting(choice(["off", "results", "all"]), "results"),
  deduplicateFileReads: setting(flag, true),
  consolidateToolResults: setting(flag, true),
  removeObsoleteState: setting(flag, false),
});

/** Returns the passes of a configuration. Obsolete content is removed first, so that no reference points to it. */
export function losslessPasses(config: OutputOf<typeof losslessSchema>): Pass[] {
  const { references, deduplicateFileReads, consolidateToolResults, removeObsoleteState } = config;
  const isOff = references === "off";
  return [
    ...(removeObsoleteState ? [obsoletePass] : []),
    ...(consolidateToolResults && isOff ? [consolidatePass] : []),
    ...(deduplicateFileReads && isOff ? [repeatedReadsPass] : []),
    ...(isOff ? [] : [referencesPass({ references, consolidates: consolidateToolResults })]),
  ];
}

/** Replaces repeats with references. Lossless. */
export const lossless = defineStrategy({
  id: "lossless",
  name: "Lossless",
  version: "1.0.0",
  capabilities: {
    lossless: true,
    batchMode: false,
    individualMode: false,
    multiPass: true,
    summarizes: false,
    speed: "fast",
  },
  schema: losslessSchema,
  stopsAtTarget: false,
  refersEarly: true,
  passes: losslessPasses,
});
