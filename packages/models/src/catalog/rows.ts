import { isJsonObject, table } from "@longhaul/conversation";
import { z } from "zod";
import { EFFORT_LEVELS, type Facts } from "./model.ts";
import { vendorIn } from "./names.ts";

const price = z.number().nonnegative();
const tokens = z.int().positive();

/** Input, output, then cache read, cache write and cache write for an hour; null where the sources don't say. */
const rates = z.tuple([price, price, price.nullable(), price.nullable(), price.nullable()]);
const tier = z.tuple([tokens, price, price, price.nullable(), price.nullable(), price.nullable()]);

/**
 * One model at one platform: platform, id, window, most output tokens (null: not known), rates, tiers (each with the prompt length that
 * it starts above), efforts (null: doesn't reason), most images in a request (0: no known limit, null: no images).
 */
const row = z.tuple([
  z.string().min(1),
  z.string().min(1),
  tokens,
  tokens.nullable(),
  rates.nullable(),
  z.array(tier),
  z.array(z.enum(EFFORT_LEVELS)).nullable(),
  z.int().nonnegative().nullable(),
]);

/** Where two sources say different things about one model: `platform/id`, field, what each says. */
const disagreement = z.tuple([z.string(), z.string(), z.number(), z.number()]);

/** The generated file. */
export const catalogFileSchema = z.strictObject({
  format: z.literal(1),
  sources: z
    .array(z.strictObject({ name: z.string(), version: z.string(), license: z.string(), date: z.string() }))
    .length(2),
  models: z.array(row),
  disagreements: z.array(disagreement),
});

/** The generated file's content. */
export type CatalogFile = z.infer<typeof catalogFileSchema>;

/**
 * Whether a value is the generated file. It looks at the format alone: the suite holds the shipped file to the whole schema, and doing
 * that at every start takes longer than all the rest.
 */
export function isCatalogFile(value: unknown): value is CatalogFile {
  return isJsonObject(value) && value.format === 1;
}

/** One model as the generated file lists it. */
export type CatalogRow = z.infer<typeof row>;

/** What a row says, in the words of the overlay. */
export function factsOf(line: CatalogRow): Facts {
  const [platform, id, tokensInAll, maxOutput, given, tiers, levels, images] = line;
  return {
    vendor: vendorIn(id) ?? OWN_VENDORS[platform] ?? platform,
    window: tokensInAll,
    ...(maxOutput !== null && { maxOutput }),
    ...(given !== null && { prices: { ...ratesOf(given), tiers: tiers.map(tierOf) } }),
    reasoning: reasoningOf(levels),
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

function tierOf([aboveInputTokens, ...given]: z.infer<typeof tier>) {
  return { aboveInputTokens, ...ratesOf(given) };
}

function reasoningOf(levels: CatalogRow[6]): NonNullable<Facts["reasoning"]> {
  if (levels === null) return { kind: "none", levels: [], onByDefault: false, mandatory: false };
  return { kind: "effort", levels, mandatory: !levels.includes("none") };
}
