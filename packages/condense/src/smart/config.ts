import { z } from "zod";
import { type PassConfig, passSchema } from "./pass-schema.ts";

/** What the lossless prelude does, each under its own switch. */
const preludeSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether the prelude runs."),
  operations: z
    .strictObject({
      deduplicateFileReads: z
        .boolean()
        .default(true)
        .describe("Replaces lines that stand further up already by references to them."),
      consolidateToolResults: z
        .boolean()
        .default(true)
        .describe("Replaces results that the same operation gave before; errors and results that differ are kept."),
      removeObsoleteState: z
        .boolean()
        .default(false)
        .describe(
          "Also removes what a later message tells anew: earlier reads, snapshots, runs. This is not lossless.",
        ),
    })
    .prefault({})
    .describe("What the prelude does."),
});

/** The switches of the lossless prelude. */
export type PreludeConfig = z.infer<typeof preludeSchema>;

/** Keeps what will likely be needed, line by line, without a model. */
export const COVER: PassConfig = {
  id: "cover",
  name: "Cover",
  description: "Keeps the newest messages, what the user wrote, and of the rest the lines that will likely be needed.",
  mode: "cover",
  coverConfig: { tailPercent: 30, newestPercent: 40, userPercent: 25 },
  execution: { type: "always" },
};

/** What `smart` does where nobody says otherwise. */
export const DEFAULT_PASSES: PassConfig[] = [COVER];

/** Everything that can be set about `smart`. */
export const smartSchema = z.strictObject({
  losslessPrelude: preludeSchema
    .prefault({})
    .describe("References instead of repeats: tried first, and made anew on what the passes leave."),
  preserveUserMessages: z
    .boolean()
    .default(true)
    .describe(
      "Whether what the user wrote stays as it is, whatever the passes say. Only a cover pass cuts it, beyond its userPercent.",
    ),
  passes: z
    .array(passSchema)
    .refine((passes) => new Set(passes.map(({ id }) => id)).size === passes.length, "two passes have the same id")
    .default(DEFAULT_PASSES)
    .describe("The passes, in order. Those after the one that reaches the target are left out."),
});

/** A configuration of `smart`, its defaults filled in. */
export type SmartConfig = z.infer<typeof smartSchema>;
