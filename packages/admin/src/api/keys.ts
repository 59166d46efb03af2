import { keyLimitsSchema } from "@longhaul/settings";
import { z } from "zod";

const maybe = z.exactOptional;

/** A key of the gateway as it is shown: never the key itself, nor what it is found by. */
export const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string().describe("Its beginning, by which its owner knows it again."),
  tenant: z.string().describe("What its conversations belong to."),
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

/** All keys, the latest first. */
export const keysSchema = z.object({ keys: z.array(keySchema) });

/** A key that was just made, with the key itself, which is never shown again. */
export const newKeyAnswerSchema = z.object({ key: z.string(), made: keySchema });

/** A key as it is shown. */
export type KeyAnswer = z.output<typeof keySchema>;

/** What `GET /api/keys` answers. */
export type KeysAnswer = z.output<typeof keysSchema>;

/** What `POST /api/keys` answers. */
export type NewKeyAnswer = z.output<typeof newKeyAnswerSchema>;
