import {
  FALLBACKS,
  INHERIT_THRESHOLD,
  MAX_THRESHOLD_PERCENT,
  MIN_THRESHOLD_PERCENT,
  OUTPUT_SHARE,
  promptSchema,
  STRATEGIES,
  type Strategy,
} from "@longhaul/condense";
import { checkValue, ownValue } from "@longhaul/conversation";
import { z } from "zod";

/** What happens to requests that are too long. */
export const CONTEXT_MODES = ["on", "observe", "off"] as const;

/** Whether repeats become references before the trigger. */
export const REFERENCE_MODES = ["auto", "on", "off"] as const;

const maybe = z.exactOptional;
const strategyIds = STRATEGIES.map(({ id }) => id);
const threshold = z.number().min(MIN_THRESHOLD_PERCENT).max(MAX_THRESHOLD_PERCENT);

/** Everything about context that may be set at any level. */
const shape = {
  mode: z
    .enum(CONTEXT_MODES)
    .describe(
      "`on` makes requests fit; `observe` forwards them unchanged and reports what it would do; `off` looks away.",
    ),
  strategy: z.enum(strategyIds).describe("How a conversation is made smaller."),
  strategies: z
    .strictObject(Object.fromEntries(STRATEGIES.map((strategy) => [strategy.id, maybe(strategyConfig(strategy))])))
    .describe("Settings of single strategies, by id; those of a strategy that is not in use are kept."),
  auto: z
    .boolean()
    .describe("Whether condensing begins at the trigger; `false`: only what would not fit is made smaller."),
  fallbacks: z.array(z.enum(strategyIds)).describe("Strategies to try in turn when the first one fails."),
  summarizer: z
    .string()
    .min(1)
    .describe("Profile that writes summaries; without one, the conversation's own model does."),
  prompt: promptSchema.describe("Instructions to the summariser, in place of the strategy's own."),
  floorTokens: z.int().nonnegative().describe("Condensing aims no lower than this."),
  outputShare: z
    .number()
    .min(0.01)
    .max(0.9)
    .describe("Most of the window that is kept free for the answer, 0.01 to 0.9."),
  waitSeconds: z
    .number()
    .min(0)
    .describe("How long a request that does not fit waits for a summary before it is fitted without."),
  spendCapUsd: z.number().min(0).describe("Most money that summaries of one conversation may cost."),
  references: z
    .enum(REFERENCE_MODES)
    .describe(
      "Whether repeats become references before the trigger; `auto`: with lossless and smart, where that pays.",
    ),
};

/** What a profile or a route may say about context; what it leaves out is as set above it. */
export const contextOverrides = z.strictObject({
  mode: maybe(shape.mode),
  strategy: maybe(shape.strategy),
  strategies: maybe(shape.strategies),
  auto: maybe(shape.auto),
  fallbacks: maybe(shape.fallbacks),
  summarizer: maybe(shape.summarizer),
  prompt: maybe(shape.prompt),
  threshold: maybe(z.union([z.literal(INHERIT_THRESHOLD), threshold])).describe(
    "Percent of the window at which condensing begins, 5 to 100; -1 is as set globally.",
  ),
  floorTokens: maybe(shape.floorTokens),
  outputShare: maybe(shape.outputShare),
  waitSeconds: maybe(shape.waitSeconds),
  spendCapUsd: maybe(shape.spendCapUsd),
  references: maybe(shape.references),
});

/** What holds everywhere. */
export const contextSchema = z.strictObject({
  mode: shape.mode.default("on"),
  strategy: shape.strategy.default("middle-out"),
  strategies: shape.strategies.prefault({}),
  auto: shape.auto.default(true),
  fallbacks: shape.fallbacks.default([...FALLBACKS]),
  summarizer: maybe(shape.summarizer),
  prompt: maybe(shape.prompt),
  threshold: maybe(threshold).describe(
    "Percent of the window at which condensing begins, 5 to 100; without it, the room that is left decides.",
  ),
  floorTokens: shape.floorTokens.default(0),
  outputShare: shape.outputShare.default(OUTPUT_SHARE),
  waitSeconds: shape.waitSeconds.default(20),
  spendCapUsd: shape.spendCapUsd.default(10),
  references: shape.references.default("auto"),
});

/** What a strategy's own schema says of its settings; they are kept as they were given, without its defaults. */
function strategyConfig({ id, schema }: Pick<Strategy, "id" | "schema">) {
  return z
    .record(z.string(), z.unknown())
    .describe(`Settings of \`${id}\`.`)
    .check(({ value, issues }) => {
      const { error } = checkValue(schema, value);
      for (const { message, path } of error?.issues ?? []) issues.push({ code: "custom", message, path, input: value });
    });
}

/** The settings for vendors that summarise by themselves. */
export const compactionSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether models that compact on the server are asked to."),
  onDemand: z
    .boolean()
    .default(true)
    .describe(
      "Whether models that compact when they are asked to are asked; else they compact at the threshold, where they can.",
    ),
  triggerTokens: z
    .int()
    .min(50_000)
    .default(150_000)
    .describe("Prompt size at which the server compacts; at most three quarters of the window are used."),
});

/** What holds everywhere. */
export type ContextConfig = z.output<typeof contextSchema>;

/** What a narrower place says: a key, a profile, a route, a request. */
export type ContextOverrides = z.output<typeof contextOverrides>;

/** What holds for one request, with the settings of the strategy that is chosen for it. */
export type RequestContext = ContextConfig & { readonly config: Readonly<Record<string, unknown>> };

/** Lays narrower settings over wider ones. A strategy's settings give way as a whole, and wait for it where another one is chosen. */
export function mergeContext(
  wider: ContextConfig,
  ...narrower: readonly (ContextOverrides | undefined)[]
): RequestContext {
  const merged = narrower.reduce<ContextConfig>(overlay, wider);
  return { ...merged, config: ownValue(merged.strategies, merged.strategy) ?? {} };
}

function overlay(wider: ContextConfig, narrower: ContextOverrides = {}): ContextConfig {
  const { threshold, strategies, ...rest } = narrower;
  return {
    ...wider,
    ...rest,
    strategies: { ...wider.strategies, ...strategies },
    ...(threshold === undefined || threshold === INHERIT_THRESHOLD ? {} : { threshold }),
  };
}
