import { z } from "zod";

const maybe = z.exactOptional;
const text = z.string().min(1);
const tokens = z.int().positive();
const bytes = z.int().positive();
/** USD for a million tokens. */
const price = z.number().nonnegative();

/** How hard a model can be told to think, from not at all to the most. */
export const EFFORT_LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const levels = z.array(z.enum(EFFORT_LEVELS)).readonly();

const ratesShape = { input: price, output: price, cacheRead: price, cacheWrite: price, cacheWriteHour: price };
const tierSchema = z.strictObject({ aboveInputTokens: tokens, ...ratesShape });

/** What a million tokens cost. A tier's rates hold for the whole call once its prompt is over `aboveInputTokens`. */
export const pricesSchema = z.strictObject({ ...ratesShape, tiers: z.array(tierSchema).readonly() }).readonly();

const givenRates = {
  input: price,
  output: price,
  cacheRead: maybe(price),
  cacheWrite: maybe(price),
  cacheWriteHour: maybe(price),
};
const givenTiers = z.array(z.strictObject({ aboveInputTokens: tokens, ...givenRates })).readonly();

/** How a model is told to think. */
const REASONING_KINDS = ["none", "effort", "level", "budget", "adaptive"] as const;
/** The values of Anthropic's `thinking.type`. */
const THINKING_TYPES = ["adaptive", "enabled", "disabled"] as const;

const reasoningShape = {
  /** `effort`: OpenAI's words; `level`: Gemini's `thinkingLevel`; `budget`: tokens; `adaptive`: Claude's effort within adaptive thinking. */
  kind: z.enum(REASONING_KINDS),
  /** The efforts it takes. `none` stands for turning reasoning off, by whatever means the format has. */
  levels,
  /** Whether it reasons when nobody says anything. */
  onByDefault: z.boolean(),
  /** It can't be turned off. */
  mandatory: z.boolean(),
  /** Efforts at which it can't be turned off although it can at others. */
  alwaysOnAt: levels,
  /** Empty for models that don't speak Anthropic's format. */
  thinkingTypes: z.array(z.enum(THINKING_TYPES)).readonly(),
  minBudgetTokens: maybe(tokens),
  maxBudgetTokens: maybe(tokens),
};

const imagesShape = {
  supported: z.boolean(),
  /** The most images in one request. */
  maxCount: maybe(z.int().positive()),
  /** The most images in one message. */
  maxPerMessage: maybe(z.int().positive()),
  /** The most bytes of one image. */
  maxBytes: maybe(bytes),
  /** The longest side in pixels. */
  maxSide: maybe(z.int().positive()),
};

const compactionShape = {
  /** The vendor compacts by itself once the prompt is over a threshold that the request names. */
  threshold: z.boolean(),
  /** The vendor compacts when asked, and gives back a block to send in place of what it stands for. */
  onDemand: z.boolean(),
};

/** What a model answers with an error. `max_tokens` means that chat completions must say `max_completion_tokens`. */
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

/** Whose way of cutting text into tokens a model has. `claude-5` gives about 30 % more tokens than `claude`. */
const TOKENIZERS = ["o200k", "cl100k", "claude", "claude-5", "gemini", "other"] as const;

const ACCOUNTINGS = ["exclusive", "inclusive"] as const;

/** Everything known of one model at one place where it runs. */
export const modelSchema = z
  .strictObject({
    /** The id that its platform takes. */
    id: text,
    /** The vendor's own name for it, the same on every platform: `claude-opus-4-6`. */
    name: text,
    /** Who made it. */
    vendor: text,
    /** Where it runs: `anthropic`, `openai`, `google`, `vertex`, `bedrock`, `openrouter`, or `other`. */
    platform: text,
    aliases: z.array(text).readonly(),
    /** Tokens of prompt and reply together. */
    window: tokens,
    maxOutput: tokens,
    /** The longest prompt, where the vendor bounds it apart from the window. */
    maxInput: maybe(tokens),
    /** Absent where nobody told us: such a model's calls have no known cost. */
    prices: maybe(pricesSchema),
    tokenizer: z.enum(TOKENIZERS),
    /** Whether the reported input count leaves cached tokens out (Anthropic) or contains them (OpenAI). */
    accounting: z.enum(ACCOUNTINGS),
    reasoning: z.strictObject(reasoningShape).readonly(),
    rejects: z.array(z.enum(REJECTABLE)).readonly(),
    images: z.strictObject(imagesShape).readonly(),
    maxRequestBytes: maybe(bytes),
    compaction: z.strictObject(compactionShape).readonly(),
    /** Its thinking blocks are valid only after the exact prefix that they were made for. */
    bindsThinking: z.boolean(),
    /** Value of the `anthropic-beta` header per feature, for the features that the platform has. */
    betas: z.record(text, text).readonly(),
  })
  .readonly();

const shape = modelSchema.unwrap().shape;

/** Some facts of a model, as the overlay and a user's overrides give them. */
export const factsSchema = z
  .strictObject({
    vendor: maybe(shape.vendor),
    aliases: maybe(shape.aliases),
    window: maybe(tokens),
    maxOutput: maybe(tokens),
    maxInput: maybe(tokens),
    prices: maybe(
      z
        .strictObject({ ...givenRates, tiers: givenTiers })
        .partial()
        .readonly(),
    ),
    tokenizer: maybe(shape.tokenizer),
    accounting: maybe(shape.accounting),
    reasoning: maybe(z.strictObject(reasoningShape).partial().readonly()),
    rejects: maybe(shape.rejects),
    images: maybe(z.strictObject(imagesShape).partial().readonly()),
    maxRequestBytes: maybe(bytes),
    compaction: maybe(z.strictObject(compactionShape).partial().readonly()),
    bindsThinking: maybe(z.boolean()),
    betas: maybe(shape.betas),
  })
  .readonly();

/** Everything known of one model at one place where it runs. */
export type Model = z.infer<typeof modelSchema>;

/** What a million tokens cost in USD, with nothing left open. */
export type Prices = z.infer<typeof pricesSchema>;

/** Some facts of a model: what is absent stays as it was. */
export type Facts = z.infer<typeof factsSchema>;

/** How a model counts what it reports: see `Model.accounting`. */
export type Accounting = Model["accounting"];

/** A family of tokenizers: see `Model.tokenizer`. */
export type Tokenizer = Model["tokenizer"];
