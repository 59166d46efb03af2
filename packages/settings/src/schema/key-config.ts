import { z } from "zod";
import { contextOverrides } from "./context-config.ts";

const maybe = z.exactOptional;
const name = z.string().trim().min(1, "must not be empty").max(200);

/** What a key may use; what is absent is not limited. */
export const keyLimitsSchema = z.strictObject({
  requestsPerMinute: maybe(z.int().min(1)).describe("Requests in one minute of the clock."),
  concurrent: maybe(z.int().min(1)).describe("Requests under way at once."),
  usdPerDay: maybe(z.number().min(0)).describe("What may be spent in a day of UTC, by our own prices."),
  usdPerMonth: maybe(z.number().min(0)).describe("What may be spent in a month of UTC, by our own prices."),
});

/** What whoever makes a key may say of it. */
export const newKeySchema = z.strictObject({
  name: name.describe("What its owner calls it."),
  tenant: maybe(name).describe(
    "What its conversations belong to: keys of one tenant share them. Without one, they are its own.",
  ),
  limits: keyLimitsSchema.prefault({}).describe("What it may use."),
  context: contextOverrides.prefault({}).describe("Context settings of its requests; they go before the global ones."),
});

/** What of a key may be changed; what is absent stays. */
export const keyChangeSchema = z.strictObject({
  name: maybe(name),
  limits: maybe(keyLimitsSchema).describe("In place of all limits that it had."),
  context: maybe(contextOverrides).describe("In place of all context settings that it had."),
});

/** What a new key is made of. */
export type NewKeyConfig = z.output<typeof newKeySchema>;

/** What is changed about a key. */
export type KeyChange = z.output<typeof keyChangeSchema>;
