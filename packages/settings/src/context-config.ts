import {
  findStrategy,
  INHERIT_THRESHOLD,
  MAX_THRESHOLD_PERCENT,
  MIN_THRESHOLD_PERCENT,
  STRATEGIES,
} from "@longhaul/condense";
import { z } from "zod";

/** What happens to requests that are too long. */
export const CONTEXT_MODES = ["on", "observe", "off"] as const;

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
  config: z.record(z.string(), z.unknown()).describe("The strategy's own settings."),
  fallbacks: z.array(z.enum(strategyIds)).describe("Strategies to try in turn when the first one fails."),
  summarizer: z
    .string()
    .min(1)
    .describe("Profile that writes summaries; without one, the conversation's own model does."),
  prompt: z.string().describe("Instructions to the summariser, in place of the strategy's own."),
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
    .enum(["auto", "on", "off"])
    .describe(
      "Whether repeats become references before the trigger; `auto`: with lossless and smart, where that pays.",
    ),
};

/** What a profile or a route may say about context; what it leaves out is as set above it. */
export const contextOverrides = z
  .strictObject({
    mode: maybe(shape.mode),
    strategy: maybe(shape.strategy),
    config: maybe(shape.config),
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
  })
  .check(({ value, issues }) => {
    if (value.config === undefined || value.strategy === undefined) return;
    issues.push(...configFaults(value.strategy, value.config, value));
  });

/** What holds everywhere. */
export const contextSchema = z
  .strictObject({
    mode: shape.mode.default("on"),
    strategy: shape.strategy.default("middle-out"),
    config: shape.config.default({}),
    fallbacks: shape.fallbacks.default(["native", "middle-out"]),
    summarizer: maybe(shape.summarizer),
    prompt: maybe(shape.prompt),
    threshold: maybe(threshold).describe(
      "Percent of the window at which condensing begins, 5 to 100; without it, the room that is left decides.",
    ),
    floorTokens: shape.floorTokens.default(0),
    outputShare: shape.outputShare.default(0.2),
    waitSeconds: shape.waitSeconds.default(20),
    spendCapUsd: shape.spendCapUsd.default(10),
    references: shape.references.default("auto"),
  })
  .check(({ value, issues }) => void issues.push(...configFaults(value.strategy, value.config, value)));

function configFaults(strategy: string, config: unknown, input: unknown): z.core.$ZodRawIssue[] {
  const { error } = findStrategy(strategy).schema.safeParse(config);
  return (error?.issues ?? []).map(({ message, path }) => ({
    code: "custom",
    message,
    path: ["config", ...path],
    input,
  }));
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

/** What holds for one request: the global settings with those of its profile and route over them. */
export type ContextConfig = z.output<typeof contextSchema>;

/** What a profile or a route says. */
export type ContextOverrides = z.output<typeof contextOverrides>;

/** Lays narrower settings over wider ones. A strategy brings its own configuration: another one's would mean nothing to it. */
export function mergeContext(wider: ContextConfig, narrower: ContextOverrides = {}): ContextConfig {
  const { threshold: own, ...rest } = narrower;
  const isOther = rest.strategy !== undefined && rest.strategy !== wider.strategy;
  return {
    ...wider,
    ...(isOther ? { config: {} } : {}),
    ...rest,
    ...(own === undefined || own === INHERIT_THRESHOLD ? {} : { threshold: own }),
  };
}
