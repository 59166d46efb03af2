import { z } from "zod";
import { referencesPass } from "../passes/references.ts";
import { defineStrategy } from "../strategy.ts";

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
    multiPass: false,
    summarizes: false,
    speed: "fast",
  },
  schema: z.strictObject({
    references: z.enum(["off", "results", "all"]).default("results").describe("Where references may stand."),
  }),
  stopsAtTarget: false,
  passes: (config) => [referencesPass(config)],
});
