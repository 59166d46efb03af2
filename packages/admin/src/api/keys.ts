import { keyLimitsSchema, keyModelsSchema } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;

/** A gateway key without the key itself and its hash. */
export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("The key's first characters, so that its owner recognizes it."),
  tenant: z.string().describe("Owner of the key's conversations."),
  models: keyModelsSchema,
  limits: keyLimitsSchema,
  context: z.record(z.string(), z.unknown()).describe("Context settings of its requests."),
  createdAtMs: z.number(),
  revokedAtMs: maybe(z.number()),
  used: z.object({
    requestsThisMinute: z.number(),
    underWay: z.number(),
    usdToday: z.number(),
    usdThisMonth: z.number(),
  }),
});

/** A gateway key without the key itself and its hash. */
export type KeyAnswer = z.output<typeof keySchema>;

/** The answer of `GET /api/keys`, latest first. */
export const keysSchema = z.object({ keys: z.array(keySchema) });

/** The answer of `GET /api/keys`, latest first. */
export type KeysAnswer = z.output<typeof keysSchema>;

/** The answer of `POST /api/keys`. The key itself is never shown again. */
export const newKeyAnswerSchema = z.object({ key: z.string(), created: keySchema });

/** The answer of `POST /api/keys`. The key itself is never shown again. */
export type NewKeyAnswer = z.output<typeof newKeyAnswerSchema>;
