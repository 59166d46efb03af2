import { ANATOMY_PARTS } from "@longhaul/condense";
import { z } from "zod";

export type { AnatomyPart, PartKind } from "@longhaul/condense";

const maybe = z.exactOptional;
const text = z.string();
const figure = z.number();
const tokens = z.int().positive().max(100_000_000);
const index = z.coerce.number().int().min(0);

/** What became of a part of a conversation. */
export const FATES = ["kept", "referenced", "shortened", "suppressed", "summarised", "dropped", "added"] as const;

/** Rows that one answer holds where nobody says how many. */
const ROWS = 500;
const MAX_ROWS = 2_000;

/** Which rows of a comparison are told. */
const pageShape = {
  from: index.default(0).describe("First row that is told."),
  limit: z.coerce.number().int().min(0).max(MAX_ROWS).default(ROWS).describe("How many rows are told."),
  row: maybe(index).describe("Only this row, with its whole texts."),
};

const conversation = z
  .union([
    z.strictObject({ text: text.min(1).describe("A session log or a request's body, as text.") }),
    z.strictObject({ requestId: text.min(1).describe("A request whose contents are kept.") }),
    z.strictObject({ example: text.min(1).describe("The id of an example.") }),
  ])
  .describe(
    "`{ text }`: a session log or a request's body in any format that the CLI reads; `{ requestId }`: a request whose contents are kept; `{ example }`: one of `/api/examples`.",
  );

/** What a conversation is measured for. */
const measureShape = {
  conversation,
  model: maybe(text.min(1)).describe("Default: the profile's, else the one that the conversation names."),
  profile: maybe(text.min(1)).describe("The profile whose settings hold. Default: that of the model's route."),
  windowTokens: maybe(tokens).describe(
    "Default: the model's; where the conversation would not be condensed in that, three quarters of its own size.",
  ),
  budgetTokens: maybe(tokens).describe("The most tokens that the result may have, in place of a window."),
  summarizer: maybe(text.min(1)).describe("The profile that would write summaries. Default: as set."),
};

/** What is to be shown: a conversation, a strategy, and what for. */
export const previewBodySchema = z.strictObject({
  ...measureShape,
  strategy: maybe(text.min(1)).describe("Default: as set for the model."),
  config: maybe(z.record(z.string(), z.unknown())).describe("The strategy's settings. Default: as set."),
  preset: maybe(text.min(1)).describe("A preset, in place of strategy and config."),
  asksModels: z
    .boolean()
    .default(false)
    .describe(
      "Whether the summariser's profile writes summaries, which costs money; else they are made without a model.",
    ),
  ...pageShape,
});

/** What strategies and profiles are compared for. */
export const estimateBodySchema = z.strictObject(measureShape);

/** One part of a conversation, before and after. */
const rowSchema = z.object({
  at: figure.describe("Position among all rows."),
  message: figure.describe("Index of the message; -1 for the system prompt and for what was added."),
  role: z.enum(["system", "user", "assistant"]),
  kind: z.enum(["text", "call", "result", "thinking", "image", "document", "compaction", "other", "summary", "note"]),
  name: maybe(text).describe("The tool's."),
  fate: z.enum(FATES),
  why: text,
  pass: maybe(text).describe("The pass that did it."),
  standIn: maybe(figure).describe("The row that tells it now."),
  before: maybe(text),
  after: maybe(text).describe("Absent where it was left out, or reads as before."),
  tokensBefore: figure,
  tokensAfter: figure,
  isCut: z.boolean().describe("Whether a text is longer than what is told; ask for the row to have all of it."),
});

const rowsShape = { rowCount: figure, rows: z.array(rowSchema) };

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

/** What was measured, and for what. */
const measuredShape = {
  format: text,
  messages: figure,
  model: text,
  upstream: maybe(text).describe("Absent where no route leads to the model."),
  limits: z.object({
    windowTokens: figure,
    budgetTokens: figure,
    targetTokens: figure,
    triggerTokens: figure,
    isAssumed: z.boolean().describe("Whether the window was chosen so that there is something to see."),
  }),
  anatomy: anatomySchema,
  warnings: z.array(text),
};

/** What a strategy makes of a conversation. */
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
  savedPerCallUsd: z.nullable(figure).describe("What the tokens that are gone would cost as input of one more call."),
  fallbacks: z.array(z.object({ strategy: text, why: text })).readonly(),
  passes: z.array(passSchema),
  facts: z.object({ found: figure, retainedBySummary: figure, putBack: z.array(text) }),
  summaries: z.object({
    asks: figure,
    writer: text.describe("Who would write them."),
    told: maybe(text).describe("What the first of them is told; the middle is left out where it is long."),
    inputTokens: figure,
    outputTokens: figure,
    estimatedUsd: z.nullable(figure).describe("Null where no price is known."),
    spentUsd: figure.describe("Zero unless models were asked."),
  }),
  ...rowsShape,
});

/** What each strategy would make of a conversation, and what each profile would take for the summaries. */
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
      costUsd: z.nullable(figure).describe("What its summaries cost; null where no price is known."),
      savedPerCallUsd: z.nullable(figure),
      milliseconds: figure.describe("Without the time that a model takes for summaries."),
      failure: maybe(text).describe("Why it gave up."),
    }),
  ),
  recommended: z.object({ strategy: text, reason: text }),
  profiles: z.object({
    strategy: text.describe("The one whose summaries are priced."),
    asks: figure,
    inputTokens: figure,
    outputTokens: figure,
    costs: z.array(
      z.object({
        profile: z.nullable(text).describe("Null is the conversation's own model."),
        model: text,
        windowTokens: figure,
        fits: z.boolean().describe("Whether what is to be summarised fits its window; else it is told less."),
        costUsd: z.nullable(figure),
        savedUsd: z.nullable(figure).describe("Against the conversation's own model."),
        savedPercent: z.nullable(figure),
      }),
    ),
    recommended: z.object({ profile: z.nullable(text), reason: text }),
  }),
});

/** Conversations to try things out with. */
export const examplesSchema = z.object({
  examples: z.array(z.object({ id: text, name: text, description: text, messages: figure, bytes: figure })),
});

/** One of them, as a request's body. */
export const exampleSchema = z.object({ id: text, name: text, description: text, text });

/** One part of a conversation, before and after. */
export type RowAnswer = z.output<typeof rowSchema>;

/** Which rows of a comparison are told. */
export interface RowsPage {
  readonly from: number;
  readonly limit: number;
  readonly row?: number;
}

/** What is to be shown. */
export type PreviewBody = z.output<typeof previewBodySchema>;

/** What strategies and profiles are compared for. */
export type EstimateBody = z.output<typeof estimateBodySchema>;

/** What a strategy makes of a conversation. */
export type PreviewAnswer = z.output<typeof previewSchema>;

/** What each strategy and each profile would do. */
export type EstimateAnswer = z.output<typeof estimateSchema>;

/** Conversations to try things out with. */
export type ExamplesAnswer = z.output<typeof examplesSchema>;
