import { z } from "zod";
import { contextOverrides } from "./context-config.ts";

const maybe = z.exactOptional;
const name = z.string().trim().min(1, "must not be empty").max(200);

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
  limits: keyLimitsSchema.prefault({}).describe("Limits of the key."),
  context: contextOverrides
    .prefault({})
    .describe("Context settings for requests with this key. They override the global ones."),
});

/** A change of a key. Absent fields stay. */
export const keyChangeSchema = z.strictObject({
  name: maybe(name),
  limits: maybe(keyLimitsSchema).describe("Replaces all limits of the key."),
  context: maybe(contextOverrides).describe("Replaces all context settings of the key."),
});
