import { z } from "zod";

const maybe = z.exactOptional;

/** How the gateway is doing. */
export const healthSchema = z.object({
  status: z
    .enum(["ok", "degraded", "stopping"])
    .describe("`degraded`: requests are answered, but something that they may need is away."),
  nowMs: z.number(),
  clientPort: maybe(z.int()).describe("Where clients are answered, when the operator has a port of their own."),
  requests: z.object({ underWay: z.int(), max: z.int() }),
  store: z.object({
    place: z.string(),
    isWorking: z.boolean(),
    ms: z.number().describe("How long it took to answer."),
    why: maybe(z.string()),
  }),
  upstreams: z.array(
    z.object({
      name: z.string(),
      isRunning: z.boolean().describe("Whether there is any place behind it."),
      isResting: z.boolean().describe("Whether it failed so often that it is left alone for a while."),
    }),
  ),
  isContextDisabled: z.boolean().describe("Whether the operator has switched context management off for all."),
  warnings: z
    .array(z.string())
    .describe("What about the settings does not work as it should, and what became of the database."),
});

/** What `GET /api/health` answers. */
export type HealthAnswer = z.output<typeof healthSchema>;

/** What is exchanged for a cookie. */
export const signInBodySchema = z.strictObject({
  token: z.string().min(1).max(1_000).describe("The token of the address that was printed, or the admin's own."),
});

/** Whether a browser is signed in now. */
export const signedInSchema = z.object({ signedIn: z.boolean() });
