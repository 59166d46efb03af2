import { ANATOMY_PARTS } from "@longhaul/condense/advanced";
import { z } from "zod";
import { measureShape } from "./previews.ts";

const text = z.string();
const figure = z.number();

const { budgetTokens: _budget, summarizer: _summarizer, ...sizeShape } = measureShape;

/** The body of `POST /api/replay`. */
export const replayBodySchema = z.strictObject({ ...sizeShape, strategy: text.min(1) });

/** The body of `POST /api/replay`. */
export type ReplayBody = z.output<typeof replayBodySchema>;

/** The answer of `POST /api/replay`: a session as a strategy would have sent it, request by request. */
export const replaySchema = z.object({
  strategy: text,
  name: text,
  model: text,
  windowTokens: figure.describe("The model's own window, unless the request sets another one."),
  requests: figure,
  condensations: figure,
  fits: z.boolean().describe("Whether every prompt fits the window."),
  sentTokens: figure.describe("Prompt tokens of all requests."),
  untouchedTokens: figure.describe("The same without condensing."),
  costUsd: z.nullable(figure).describe("Includes summaries; null if no price is known."),
  untouchedUsd: z.nullable(figure).describe("Without condensing, in an unlimited window, under the same cache rules."),
  summaryUsd: z.nullable(figure),
  recall: z
    .nullable(figure)
    .describe(
      "Share of the names, paths and numbers used later that were still in the prompt; null if none were used.",
    ),
  lost: z
    .array(z.object({ part: z.enum(ANATOMY_PARTS), tokens: figure }))
    .describe("Tokens that the last prompt no longer contains, by type, most first."),
});

/** The answer of `POST /api/replay`. */
export type ReplayAnswer = z.output<typeof replaySchema>;

/** The query of `GET /api/pins`. */
export const pinsQuerySchema = z.strictObject({ session: text.min(1), tenant: text.default("") });

/** The answer of `GET /api/pins`: the pinned messages of a session, in order; none if its content is not recorded. */
export const pinsSchema = z.object({
  pins: z.array(
    z.object({
      hash: text,
      role: text,
      text: text.describe("The beginning of its text."),
      isMarked: z.boolean().describe("Whether the user marked it in its text, instead of in the settings."),
    }),
  ),
});

/** The answer of `GET /api/pins`. */
export type PinsAnswer = z.output<typeof pinsSchema>;

/** The answer of `GET /api/logs`: session logs of other tools on this machine, latest first. */
export const logsSchema = z.object({
  isAvailable: z.boolean().describe("Whether the gateway listens on localhost only."),
  logs: z.array(z.object({ id: text, title: text, client: text, bytes: figure, changedAtMs: figure })),
});

/** The answer of `GET /api/logs`. */
export type LogsAnswer = z.output<typeof logsSchema>;
