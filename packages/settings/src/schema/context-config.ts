import {
  checkWith,
  FALLBACKS,
  INHERIT_THRESHOLD,
  MAX_OUTPUT_SHARE,
  MAX_TARGET_SHARE,
  MAX_THRESHOLD_PERCENT,
  MIN_TARGET_SHARE,
  MIN_THRESHOLD_PERCENT,
  OUTPUT_SHARE,
  promptSchema,
  STRATEGIES,
  type Strategy,
} from "@longhaul/condense/advanced";
import { isJsonObject, ownValue } from "@longhaul/conversation/advanced";
import { z } from "zod";

/** Whether conversations are condensed. */
export const CONTEXT_MODES = ["on", "observe", "off"] as const;

/** Whether repeats become references before the trigger. */
export const REFERENCE_MODES = ["auto", "on", "off"] as const;

const maybe = z.exactOptional;
/** Evaluated on first use, after the file's own strategies are registered. */
const strategyId = z.lazy(() => z.enum(STRATEGIES.map(({ id }) => id)));
const threshold = z.number().min(MIN_THRESHOLD_PERCENT).max(MAX_THRESHOLD_PERCENT);

/** Adds the faults of a prompt. */
const promptRule: z.core.CheckFn<string> = ({ value, issues }) => {
  for (const { message } of promptSchema.check(value).issues ?? [])
    issues.push({ code: "custom", message, input: value });
};

/** Fields of global and narrower settings. */
const shape = {
  mode: z
    .enum(CONTEXT_MODES)
    .describe(
      "`on` condenses conversations; `observe` forwards them unchanged and reports what condensing would do; `off` does neither.",
    ),
  strategy: strategyId.describe("Strategy that condenses conversations."),
  strategies: z
    .lazy(() =>
      z.strictObject(Object.fromEntries(STRATEGIES.map((strategy) => [strategy.id, maybe(strategyConfig(strategy))]))),
    )
    .describe("Settings of each strategy, by ID. They are kept while another strategy is active."),
  auto: z
    .boolean()
    .describe("Whether to condense at the threshold. If `false`, only conversations that would not fit are condensed."),
  fallbacks: z.array(strategyId).describe("Strategies to try in order if the first one fails."),
  summarizer: z.string().min(1).describe("Profile that writes summaries. Default: the conversation's own model."),
  prompt: z.string().check(promptRule).describe("Instructions for the summarizer, instead of the strategy's own."),
  targetShare: z
    .number()
    .min(MIN_TARGET_SHARE)
    .max(MAX_TARGET_SHARE)
    .describe(
      "Share of the window that condensing aims for, 0.05 to 0.9, at most 90% of the threshold. Default: 0.5, at most 70% of the threshold.",
    ),
  targetTokens: z
    .int()
    .positive()
    .describe(
      "Prompt size that condensing aims for, in tokens, at most 90% of the threshold. Overrides `targetShare`.",
    ),
  floorTokens: z.int().nonnegative().describe("Minimum target, in tokens: condensing never aims for a smaller prompt."),
  outputShare: z
    .number()
    .min(0.01)
    .max(MAX_OUTPUT_SHARE)
    .describe("Maximum share of the window reserved for the output, 0.01 to 0.9."),
  keepOutputLimit: z
    .boolean()
    .describe(
      "Whether to reserve the client's full output limit, up to 90% of the window, so that condensing starts before the limit would have to be lowered. If `false`, at most `outputShare` is reserved.",
    ),
  waitSeconds: z
    .number()
    .min(0)
    .describe("How long a request that does not fit waits for a summary before it is condensed without one."),
  spendCapUsd: z.number().min(0).describe("Maximum cost of the summaries of one conversation, in USD."),
  references: z
    .enum(REFERENCE_MODES)
    .describe(
      "Whether to replace repeated lines with references before the threshold is reached. `auto`: only with `lossless` and `smart`.",
    ),
  pins: z
    .array(z.string().regex(/^[\w-]{8,128}$/, "must be the hash of a message"))
    .max(1_000)
    .describe(
      "Hashes of messages that every strategy keeps whole, with the tool calls or results that belong to them. Those of narrower scopes are added.",
    ),
};

/** Context settings of a key, a profile, a route or a request. Absent fields are inherited. */
export const contextOverrides = z.strictObject({
  mode: maybe(shape.mode),
  strategy: maybe(shape.strategy),
  strategies: maybe(shape.strategies),
  auto: maybe(shape.auto),
  fallbacks: maybe(shape.fallbacks),
  summarizer: maybe(shape.summarizer),
  prompt: maybe(shape.prompt),
  threshold: maybe(z.union([z.literal(INHERIT_THRESHOLD), threshold])).describe(
    "Percentage of the window at which condensing starts, 5 to 100; -1 uses the value of the next wider scope.",
  ),
  targetShare: maybe(shape.targetShare),
  targetTokens: maybe(shape.targetTokens),
  floorTokens: maybe(shape.floorTokens),
  outputShare: maybe(shape.outputShare),
  keepOutputLimit: maybe(shape.keepOutputLimit),
  waitSeconds: maybe(shape.waitSeconds),
  spendCapUsd: maybe(shape.spendCapUsd),
  references: maybe(shape.references),
  pins: maybe(shape.pins),
});

/** Context settings of a key, a profile, a route or a request. */
export type ContextOverrides = z.output<typeof contextOverrides>;

/** Global context settings. */
export const contextSchema = z.strictObject({
  mode: shape.mode.default("on"),
  strategy: shape.strategy.default("smart"),
  strategies: shape.strategies.prefault({}),
  auto: shape.auto.default(true),
  fallbacks: shape.fallbacks.default([...FALLBACKS]),
  summarizer: maybe(shape.summarizer),
  prompt: maybe(shape.prompt),
  threshold: maybe(threshold).describe(
    "Percentage of the window at which condensing starts, 5 to 100. Default: the strategy's own; if it has none, 90% of the window, minus the output reserve.",
  ),
  targetShare: maybe(shape.targetShare),
  targetTokens: maybe(shape.targetTokens),
  floorTokens: shape.floorTokens.default(0),
  outputShare: shape.outputShare.default(OUTPUT_SHARE),
  keepOutputLimit: shape.keepOutputLimit.default(false),
  waitSeconds: shape.waitSeconds.default(20),
  spendCapUsd: shape.spendCapUsd.default(10),
  references: shape.references.default("auto"),
  pins: shape.pins.default([]),
});

/** Global context settings. */
export type ContextConfig = z.output<typeof contextSchema>;

/** Checks a strategy's settings with its own schema, and keeps them in its shape without its defaults. */
function strategyConfig({ id, schema, readConfig }: Strategy) {
  return z
    .record(z.string(), z.unknown())
    .overwrite((config) => {
      const read = readConfig?.(config);
      return isJsonObject(read) ? read : config;
    })
    .describe(`Settings of the \`${id}\` strategy.`)
    .check(({ value, issues }) => {
      for (const { message, path } of checkWith(schema, value).issues ?? [])
        issues.push({ code: "custom", message, path: [...path], input: value });
    });
}

/** Settings of compaction by the vendor. */
export const compactionSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether to use vendor compaction for models that support it."),
  onDemand: z
    .boolean()
    .default(true)
    .describe(
      "Whether to compact in a background request, for models that support it. If `false`, the vendor compacts as part of a reply.",
    ),
  triggerTokens: maybe(z.int().min(50_000)).describe(
    "Prompt size at which the vendor compacts, in tokens, at most three quarters of the window. Default: three quarters of the window if the gateway requests compaction (`onDemand`), otherwise 150,000.",
  ),
});

/** Context settings of one request, with its strategy's settings as `config`. */
export type RequestContext = ContextConfig & { readonly config: Readonly<Record<string, unknown>> };

/** Merges settings, the narrowest last. A strategy's settings are replaced as a whole. */
export function mergeContext(
  wider: ContextConfig,
  ...narrower: readonly (ContextOverrides | undefined)[]
): RequestContext {
  const merged = narrower.reduce<ContextConfig>(overlay, wider);
  return { ...merged, config: ownValue(merged.strategies, merged.strategy) ?? {} };
}

function overlay(wider: ContextConfig, narrower: ContextOverrides = {}): ContextConfig {
  const { threshold, strategies, pins = [], ...rest } = narrower;
  const { targetShare: _, targetTokens: _tokens, ...untargeted } = wider;
  // Both mean the same, so setting one replaces both.
  const setsTarget = narrower.targetShare !== undefined || narrower.targetTokens !== undefined;
  return {
    ...(setsTarget ? untargeted : wider),
    ...rest,
    strategies: { ...wider.strategies, ...strategies },
    pins: [...wider.pins, ...pins],
    ...(threshold === undefined || threshold === INHERIT_THRESHOLD ? {} : { threshold }),
  };
}
