import { isJsonObject, table } from "@longhaul/conversation/advanced";
import * as z from "zod/mini";
import { EFFORT_LEVELS, type Facts } from "./model.ts";
import { vendorIn } from "./names.ts";

const price = z.number().check(z.nonnegative());
const tokens = z.int().check(z.positive());
const text = z.string().check(z.minLength(1));

/** Input, output, cache read, cache write and hour-long cache write; null if the sources do not say. */
const rates = z.tuple([price, price, z.nullable(price), z.nullable(price), z.nullable(price)]);
const tier = z.tuple([tokens, price, price, z.nullable(price), z.nullable(price), z.nullable(price)]);

/**
 * One model on one platform: platform, id, window, maximum output tokens (null: unknown), rates, tiers (each with the prompt length that it
 * starts above), effort levels (null: no reasoning), maximum images per request (0: no known limit, null: no images).
 */
const row = z.tuple([
  text,
  text,
  tokens,
  z.nullable(tokens),
  z.nullable(rates),
  z.array(tier),
  z.nullable(z.array(z.enum(EFFORT_LEVELS))),
  z.nullable(z.int().check(z.nonnegative())),
]);

/** A disagreement of two sources about one model: `platform/id`, field, and both values. */
const disagreement = z.tuple([z.string(), z.string(), z.number(), z.number()]);

/** Schema of the generated file. */
export const catalogFileSchema = z.strictObject({
  format: z.literal(1),
  sources: z
    .array(z.strictObject({ name: z.string(), version: z.string(), license: z.string(), date: z.string() }))
    .check(z.length(2)),
  models: z.array(row),
  disagreements: z.array(disagreement),
});

/** Content of the generated file. */
export type CatalogFile = z.infer<typeof catalogFileSchema>;

/**
 * Whether a value is the generated file. It checks only the format: a test validates the shipped file, and doing that at every start would
 * take longer than everything else.
 */
export function isCatalogFile(value: unknown): value is CatalogFile {
  return isJsonObject(value) && value.format === 1;
}

/** One model in the generated file. */
export type CatalogRow = z.infer<typeof row>;

/** Converts a row to facts. */
export function factsOf(line: CatalogRow): Facts {
  const [platform, id, tokensInAll, maxOutput, given, tiers, levels, images] = line;
  return {
    vendor: vendorIn(id) ?? OWN_VENDORS[platform] ?? platform,
    window: tokensInAll,
    ...(maxOutput !== null && { maxOutput }),
    ...(given !== null && {
      prices: {
        ...ratesOf(given),
        tiers: tiers.map(([above, ...rest]) => ({ aboveInputTokens: above, ...ratesOf(rest) })),
      },
    }),
    reasoning:
      levels === null
        ? { kind: "none", levels: [], onByDefault: false, mandatory: false }
        : { kind: "effort", levels, mandatory: !levels.includes("none") },
    images: { supported: images !== null, ...(images !== null && images > 0 && { maxCount: images }) },
  };
}

const OWN_VENDORS: Readonly<Record<string, string>> = table({ vertex: "google" });

function ratesOf([input, output, cacheRead, cacheWrite, cacheWriteHour]: z.infer<typeof rates>) {
  return {
    input,
    output,
    ...(cacheRead !== null && { cacheRead }),
    ...(cacheWrite !== null && { cacheWrite }),
    ...(cacheWriteHour !== null && { cacheWriteHour }),
  };
}
