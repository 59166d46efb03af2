import * as z from "zod/mini";

const maybe = z.exactOptional;
const text = z.string().check(z.minLength(1));
const tokens = z.int().check(z.positive());
const bytes = z.int().check(z.positive());
/** USD per million tokens. */
const price = z.number().check(z.nonnegative());

/** Effort levels, from no reasoning to the most. */
export const EFFORT_LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const levels = z.readonly(z.array(z.enum(EFFORT_LEVELS)));

const ratesShape = { input: price, output: price, cacheRead: price, cacheWrite: price, cacheWriteHour: price };
const tierSchema = z.strictObject({ aboveInputTokens: tokens, ...ratesShape });

/** Prices per million tokens. A tier's rates apply to the whole call if its prompt exceeds `aboveInputTokens`. */
export const pricesSchema = z.readonly(z.strictObject({ ...ratesShape, tiers: z.readonly(z.array(tierSchema)) }));

const givenRates = {
  input: price,
  output: price,
  cacheRead: maybe(price),
  cacheWrite: maybe(price),
  cacheWriteHour: maybe(price),
};
const givenTiers = z.readonly(z.array(z.strictObject({ aboveInputTokens: tokens, ...givenRates })));

/** How reasoning is configured. */
const REASONING_KINDS = ["none", "effort", "level", "budget", "adaptive"] as const;
/** Values of Anthropic's `thinking.type`. */
const THINKING_TYPES = ["adaptive", "enabled", "disabled"] as const;

const reasoningShape = {
  /**
   * `effort`: OpenAI's levels; `level`: Gemini's `thinkingLevel`; `budget`: tokens; `adaptive`: Claude's effort within adaptive thinking.
   */
  kind: z.enum(REASONING_KINDS),
  /** Accepted effort levels. `none` means that reasoning can be turned off, by whatever means the format has. */
  levels,
  /** Whether the model reasons by default. */
  onByDefault: z.boolean(),
  /** Whether reasoning cannot be turned off. */
  mandatory: z.boolean(),
  /** Effort levels at which reasoning cannot be turned off. */
  alwaysOnAt: levels,
  /** Empty for models without Anthropic's format. */
  thinkingTypes: z.readonly(z.array(z.enum(THINKING_TYPES))),
  minBudgetTokens: maybe(tokens),
  maxBudgetTokens: maybe(tokens),
};

const imagesShape = {
  supported: z.boolean(),
  /** Maximum number of images per request. */
  maxCount: maybe(z.int().check(z.positive())),
  /** Maximum number of images per message. */
  maxPerMessage: maybe(z.int().check(z.positive())),
  /** Maximum size of an image. */
  maxBytes: maybe(bytes),
  /** Maximum side length in pixels. */
  maxSide: maybe(z.int().check(z.positive())),
};

const compactionShape = {
  /** Whether the vendor compacts automatically above a threshold in the request. */
  threshold: z.boolean(),
  /** Whether the vendor compacts on request and returns a block to send instead of the compacted messages. */
  onDemand: z.boolean(),
};

/** Parameters and features that a model rejects with an error. `max_tokens` means that chat completions must use `max_completion_tokens`. */
const REJECTABLE = [
  "temperature",
  "top_p",
  "top_k",
  "frequency_penalty",
  "presence_penalty",
  "max_tokens",
  "forced-tool-choice",
  "prefill",
  "system-message",
] as const;

/** Tokenizer families. `claude-5` produces about 30% more tokens than `claude`. */
const TOKENIZERS = ["o200k", "cl100k", "claude", "claude-5", "gemini", "other"] as const;

const ACCOUNTINGS = ["exclusive", "inclusive"] as const;

const modelObject = z.strictObject({
  /** The id on its platform. */
  id: text,
  /** The vendor's name, the same on every platform: `claude-opus-4-6`. */
  name: text,
  vendor: text,
  /** Where it runs: `anthropic`, `openai`, `google`, `vertex`, `bedrock`, `openrouter`, or `other`. */
  platform: text,
  aliases: z.readonly(z.array(text)),
  /** Tokens of prompt and reply together. */
  window: tokens,
  maxOutput: tokens,
  /** Maximum prompt length, if the vendor limits it separately. */
  maxInput: maybe(tokens),
  /** Absent if unknown: the model's calls have no known cost. */
  prices: maybe(pricesSchema),
  tokenizer: z.enum(TOKENIZERS),
  /** Whether the reported input count excludes cached tokens (Anthropic) or includes them (OpenAI). */
  accounting: z.enum(ACCOUNTINGS),
  reasoning: z.readonly(z.strictObject(reasoningShape)),
  rejects: z.readonly(z.array(z.enum(REJECTABLE))),
  images: z.readonly(z.strictObject(imagesShape)),
  maxRequestBytes: maybe(bytes),
  compaction: z.readonly(z.strictObject(compactionShape)),
  /** Whether its thinking blocks are valid only after the exact prefix that they were created for. */
  bindsThinking: z.boolean(),
  /** Value of the `anthropic-beta` header for each feature that the platform supports. */
  betas: z.readonly(z.record(text, text)),
});

/** All facts about a model on one platform. */
export const modelSchema = z.readonly(modelObject);

const { shape } = modelObject;

const factsObject = z.strictObject({
  vendor: maybe(shape.vendor),
  aliases: maybe(shape.aliases),
  window: maybe(tokens),
  maxOutput: maybe(tokens),
  maxInput: maybe(tokens),
  prices: maybe(z.readonly(z.partial(z.strictObject({ ...givenRates, tiers: givenTiers })))),
  tokenizer: maybe(shape.tokenizer),
  accounting: maybe(shape.accounting),
  reasoning: maybe(z.readonly(z.partial(z.strictObject(reasoningShape)))),
  rejects: maybe(shape.rejects),
  images: maybe(z.readonly(z.partial(z.strictObject(imagesShape)))),
  maxRequestBytes: maybe(bytes),
  compaction: maybe(z.readonly(z.partial(z.strictObject(compactionShape)))),
  bindsThinking: maybe(z.boolean()),
  betas: maybe(shape.betas),
});

/** Partial facts about a model, for the overlay and overrides. */
export const factsSchema = z.readonly(factsObject);

/** The fields that an override can set. */
export const FACT_NAMES: readonly string[] = Object.keys(factsObject.shape);

/** All facts about a model on one platform. */
export type Model = z.infer<typeof modelSchema>;

/** Complete prices per million tokens, in USD. */
export type Prices = z.infer<typeof pricesSchema>;

/** Partial facts about a model; absent ones are unchanged. */
export type Facts = z.infer<typeof factsSchema>;

/** A user's overrides: facts by model id, vendor's name, `platform/id` or glob. */
export type Overrides = Readonly<Record<string, Facts>>;

/** Facts that every model has, whatever is known about it. */
export type AssumedFacts = Facts & Omit<Model, "id" | "name" | "platform" | "vendor" | "aliases" | "prices">;

/** How a model reports usage: see `Model.accounting`. */
export type Accounting = Model["accounting"];

/** A family of tokenizers: see `Model.tokenizer`. */
export type Tokenizer = Model["tokenizer"];
