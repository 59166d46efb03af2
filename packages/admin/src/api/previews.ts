import { ANATOMY_PARTS } from "@longhaul/condense/advanced";
import { z } from "zod";

export type { AnatomyPart, PartKind } from "@longhaul/condense/advanced";

const maybe = z.exactOptional;
const text = z.string();
const figure = z.number();
const tokens = z.int().positive().max(100_000_000);
const index = z.coerce.number().int().min(0);

/** How condensing changed a part of a conversation. */
export const FATES = ["kept", "referenced", "shortened", "suppressed", "summarised", "dropped", "added"] as const;

const DEFAULT_ROWS = 500;
const MAX_ROWS = 2_000;

const pageShape = {
  from: index.default(0).describe("The first row to return."),
  limit: z.coerce.number().int().min(0).max(MAX_ROWS).default(DEFAULT_ROWS).describe("The number of rows to return."),
  row: maybe(index).describe("Return only this row, with its full text."),
};

const conversation = z
  .union([
    z.strictObject({ text: text.min(1).describe("A session log or a request's body, as text.") }),
    z.strictObject({ requestId: text.min(1).describe("A request whose content was recorded.") }),
    z.strictObject({ example: text.min(1).describe("The ID of an example.") }),
    z.strictObject({ session: text.min(1).describe("A session with recorded content."), tenant: text.default("") }),
    z.strictObject({ log: text.min(1).describe("The ID of a log on this machine.") }),
  ])
  .describe(
    "`{ text }`: a session log or a request's body in any format that the CLI reads; `{ requestId }`: a request whose content was recorded; `{ example }`: one of `/api/examples`; `{ session }`: the newest recorded request of a session; `{ log }`: one of `/api/logs`.",
  );

/** The conversation and what to measure it for. */
export const measureShape = {
  conversation,
  model: maybe(text.min(1)).describe("Default: the profile's model, else the one that the conversation names."),
  profile: maybe(text.min(1)).describe("The profile whose settings apply. Default: the one of the model's route."),
  windowTokens: maybe(tokens).describe(
    "Default: the model's window, or three quarters of the conversation's size if it would not be condensed in that.",
  ),
  budgetTokens: maybe(tokens).describe("The maximum size of the result, instead of a window."),
  summarizer: maybe(text.min(1)).describe("The profile that writes summaries. Default: `context.summarizer`."),
};

/** The body of `POST /api/preview`. */
export const previewBodySchema = z.strictObject({
  ...measureShape,
  strategy: maybe(text.min(1)).describe("Default: the strategy configured for the model."),
  config: maybe(z.record(z.string(), z.unknown())).describe("The strategy's settings. Default: the configured ones."),
  preset: maybe(text.min(1)).describe("A preset instead of `strategy` and `config`."),
  asksModels: z
    .boolean()
    .default(false)
    .describe(
      "Whether the summarizer's model writes summaries, which costs money. Otherwise they are made without a model call.",
    ),
  ...pageShape,
});

/** The body of `POST /api/preview`. */
export type PreviewBody = z.output<typeof previewBodySchema>;

/** The body of `POST /api/estimate`. */
export const estimateBodySchema = z.strictObject(measureShape);

/** The body of `POST /api/estimate`. */
export type EstimateBody = z.output<typeof estimateBodySchema>;

const rowSchema = z.object({
  at: figure.describe("Position among all rows."),
  message: figure.describe("Index of the message; -1 for the system prompt and for added parts."),
  hash: maybe(text).describe("Hash of the message, to pin it."),
  role: z.enum(["system", "user", "assistant"]),
  kind: z.enum(["text", "call", "result", "thinking", "image", "document", "compaction", "other", "summary", "note"]),
  name: maybe(text).describe("The tool's name."),
  fate: z.enum(FATES),
  why: text,
  pass: maybe(text).describe("The pass that changed it."),
  replacedBy: maybe(figure).describe("The row that replaces it."),
  before: maybe(text),
  after: maybe(text).describe("Absent if the part was removed or is unchanged."),
  tokensBefore: figure,
  tokensAfter: figure,
  isCut: z.boolean().describe("Whether a text is shortened here; request the row for its full text."),
});

/** One part of a conversation, before and after. */
export type RowAnswer = z.output<typeof rowSchema>;

const rowsShape = {
  rowCount: figure,
  rows: z.array(rowSchema),
  changed: z.array(figure).describe("Positions of the rows that are not kept unchanged, at most a few thousand."),
};

const passSchema = z.object({
  id: text,
  name: text,
  outcome: z.enum(["applied", "nothing-to-do", "skipped", "undone", "failed"]),
  why: maybe(text),
  tokensBefore: figure,
  tokensAfter: figure,
  operations: z.record(text, figure),
  costUsd: figure,
  milliseconds: figure,
  facts: maybe(z.object({ found: figure, retainedBySummary: figure, putBack: z.array(text).readonly() })),
});

const anatomySchema = z.object({
  tokens: figure,
  parts: z.object(Object.fromEntries(ANATOMY_PARTS.map((part) => [part, figure]))),
});

const measuredShape = {
  format: text,
  messages: figure,
  model: text,
  upstream: maybe(text).describe("Absent if no route serves the model."),
  limits: z.object({
    windowTokens: figure,
    budgetTokens: figure,
    targetTokens: figure,
    triggerTokens: figure,
    isAssumed: z.boolean().describe("Whether a smaller window was assumed so that condensing has an effect."),
  }),
  anatomy: anatomySchema,
  warnings: z.array(text),
};

/** The answer of `POST /api/preview`. */
export const previewSchema = z.object({
  ...measuredShape,
  strategy: text,
  strategyName: text,
  tokensBefore: figure,
  tokensAfter: figure,
  messagesAfter: figure,
  anatomyAfter: anatomySchema,
  fits: z.boolean(),
  milliseconds: figure,
  savedPerCallUsd: z
    .nullable(figure)
    .describe("What each further request saves: the removed tokens, read from the vendor's cache."),
  fallbacks: z.array(z.object({ strategy: text, why: text })).readonly(),
  unused: maybe(z.object({ tokens: figure, why: text })).describe(
    "Tokens below the upstream's limit that the result does not use, and why.",
  ),
  passes: z.array(passSchema),
  facts: z.object({ found: figure, retainedBySummary: figure, putBack: z.array(text) }),
  summaries: z.object({
    asks: figure,
    writer: text.describe("The profile and model that write them."),
    request: maybe(text).describe("The request for the first of them, shortened in the middle if it is long."),
    inputTokens: figure,
    outputTokens: figure,
    estimatedUsd: z.nullable(figure).describe("Null if no price is known."),
    spentUsd: figure.describe("Zero unless a model was called."),
  }),
  ...rowsShape,
});

/** The answer of `POST /api/preview`. */
export type PreviewAnswer = z.output<typeof previewSchema>;

/** The answer of `POST /api/estimate`: the result of every strategy, and the price of its summaries with every profile. */
export const estimateSchema = z.object({
  ...measuredShape,
  strategies: z.array(
    z.object({
      id: text,
      name: text,
      tokensAfter: figure,
      reductionPercent: figure,
      fits: z.boolean(),
      reachesTarget: z.boolean(),
      asks: figure,
      costUsd: z.nullable(figure).describe("The price of its summaries; null if unknown."),
      savedPerCallUsd: z.nullable(figure),
      milliseconds: figure.describe("Without the time for model calls."),
      failure: maybe(text).describe("Why it failed."),
    }),
  ),
  recommended: z.object({ strategy: text, reason: text }),
  profiles: z.object({
    strategy: text.describe("The strategy whose summaries are priced."),
    asks: figure,
    inputTokens: figure,
    outputTokens: figure,
    costs: z.array(
      z.object({
        profile: z.nullable(text).describe("Null for the conversation's own model."),
        model: text,
        windowTokens: figure,
        fits: z
          .boolean()
          .describe("Whether the messages to summarize fit its window. If not, they are shortened first."),
        costUsd: z.nullable(figure),
        savedUsd: z.nullable(figure).describe("Compared with the conversation's own model."),
        savedPercent: z.nullable(figure),
      }),
    ),
    recommended: z.object({ profile: z.nullable(text), reason: text }),
  }),
});

/** The answer of `POST /api/estimate`. */
export type EstimateAnswer = z.output<typeof estimateSchema>;

/** The answer of `GET /api/examples`: example conversations. */
export const examplesSchema = z.object({
  examples: z.array(z.object({ id: text, name: text, description: text, messages: figure, bytes: figure })),
});

/** The answer of `GET /api/examples`. */
export type ExamplesAnswer = z.output<typeof examplesSchema>;

/** The answer of `GET /api/examples/:id`: an example as a request's body. */
export const exampleSchema = z.object({ id: text, name: text, description: text, text });

/** The rows to return: `limit` rows starting at `from`, or the single `row`. */
export type RowsPage = Pick<PreviewBody, "from" | "limit" | "row">;
