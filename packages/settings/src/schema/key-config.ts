import { z } from "zod";
import { contextOverrides } from "./context-config.ts";

const maybe = z.exactOptional;
const name = z.string().trim().min(1, "must not be empty").max(200);

/** The models that a gateway key may use. */
export const keyModelsSchema = z
  .array(z.string().trim().min(1, "must not be empty").max(200))
  .max(100)
  .describe("Model names that the key may use, with `*` as a wildcard. An empty list allows all models.");

/** Limits of a gateway key. An absent limit does not apply. */
export const keyLimitsSchema = z.strictObject({
  requestsPerMinute: maybe(z.int().min(1)).describe("Maximum requests per clock minute."),
  concurrent: maybe(z.int().min(1)).describe("Maximum concurrent requests."),
  usdPerDay: maybe(z.number().min(0)).describe("Maximum spend per UTC day in US dollars, at list prices."),
  usdPerMonth: maybe(z.number().min(0)).describe("Maximum spend per UTC month in US dollars, at list prices."),
});

/** The properties of a new key. */
export const newKeySchema = z.strictObject({
  name: name.describe("Display name."),
  tenant: maybe(name).describe(
    "Owner of the key's conversations; keys of the same tenant share them. Default: the key itself.",
  ),
  models: keyModelsSchema.prefault([]),
  limits: keyLimitsSchema.prefault({}).describe("Limits of the key."),
  context: contextOverrides
    .prefault({})
    .describe("Context settings for requests with this key. They override the global ones."),
});

/** A change of a key. Absent fields stay. */
export const keyChangeSchema = z.strictObject({
  name: maybe(name),
  models: maybe(keyModelsSchema).describe("Replaces the model names that the key may use."),
  limits: maybe(keyLimitsSchema).describe("Replaces all limits of the key."),
  context: maybe(contextOverrides).describe("Replaces all context settings of the key."),
});
