import { z } from "zod";
import { contextOverrides } from "./context-config.ts";

const maybe = z.exactOptional;
const name = z.string().trim().min(1, "must not be empty").max(200);

/** Limits of a gateway key. An absent limit does not apply. */
export const keyLimitsSchema = z.strictObject({
  requestsPerMinute: maybe(z.int().min(1)).describe("Requests per clock minute."),
  concurrent: maybe(z.int().min(1)).describe("Concurrent requests."),
  usdPerDay: maybe(z.number().min(0)).describe("Spending per UTC day, at catalog prices."),
  usdPerMonth: maybe(z.number().min(0)).describe("Spending per UTC month, at catalog prices."),
});

/** The properties of a new key. */
export const newKeySchema = z.strictObject({
  name: name.describe("Display name."),
  tenant: maybe(name).describe(
    "Owner of its conversations; keys of the same tenant share condensations. Default: the key itself.",
  ),
  limits: keyLimitsSchema.prefault({}).describe("Its limits."),
  context: contextOverrides.prefault({}).describe("Context settings of its requests. They override the global ones."),
});

/** A change of a key. Absent fields stay. */
export const keyChangeSchema = z.strictObject({
  name: maybe(name),
  limits: maybe(keyLimitsSchema).describe("Replaces all its limits."),
  context: maybe(contextOverrides).describe("Replaces all its context settings."),
});

/** The properties of a new key. */
export type NewKeyConfig = z.output<typeof newKeySchema>;

/** A change of a key. */
export type KeyChange = z.output<typeof keyChangeSchema>;
