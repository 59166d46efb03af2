import * as z from "zod/mini";
import { EFFORT_LEVELS } from "./model.ts";

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

/** Schema of the generated file, for the script that writes it and for tests. */
export const catalogFileSchema = z.strictObject({
  format: z.literal(1),
  sources: z
    .array(z.strictObject({ name: z.string(), version: z.string(), license: z.string(), date: z.string() }))
    .check(z.length(2)),
  models: z.array(row),
});

/** Content of the generated file. */
export type CatalogFile = z.infer<typeof catalogFileSchema>;

/** One model in the generated file. */
export type CatalogRow = z.infer<typeof row>;
