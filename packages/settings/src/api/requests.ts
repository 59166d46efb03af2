import { z } from "zod";
import { condensationEventSchema, requestEventSchema } from "./events.ts";
import { previewBodySchema, previewSchema } from "./preview.ts";

const { from, limit, row } = previewBodySchema.shape;
const { rowCount, rows } = previewSchema.shape;

/** Which rows of a request are told. */
export const requestQuerySchema = z.strictObject({ from, limit, row });

/** One request: what is kept of it, how it was made smaller, and what it said where that is kept. */
export const requestDetailSchema = z.object({
  request: requestEventSchema,
  /** Those that were made for it, the latest first; one that reused an earlier one has none of its own. */
  condensations: z.array(condensationEventSchema),
  /** Absent where contents are not kept. */
  contents: z.exactOptional(
    z.object({
      wire: z.string(),
      sentWire: z.string(),
      isSame: z.boolean().describe("Whether it was sent as it came."),
      messagesBefore: z.number(),
      messagesAfter: z.number(),
      putBack: z.array(z.string()).describe("Facts that were put back under its summaries."),
      rowCount,
      rows,
    }),
  ),
});

/** One request. */
export type RequestDetailAnswer = z.output<typeof requestDetailSchema>;
