import { z } from "zod";

const maybe = z.exactOptional;

/** The answer of `GET /api/health`. */
export const healthSchema = z.object({
  status: z
    .enum(["ok", "degraded", "stopping"])
    .describe("`degraded`: requests are served, but the store or an upstream is unavailable."),
  nowMs: z.number(),
  clientPort: maybe(z.int()).describe("The model API's port, if the admin API has a separate one."),
  requests: z.object({ underWay: z.int(), max: z.int() }),
  store: z.object({
    location: z.string(),
    isWorking: z.boolean(),
    ms: z.number().describe("The store's response time."),
    why: maybe(z.string()),
  }),
  upstreams: z.array(
    z.object({
      name: z.string(),
      isRunning: z.boolean().describe("Whether it has an endpoint that can be called."),
      isCircuitOpen: z.boolean().describe("Whether its circuit is open after repeated failures."),
      isSimulated: z.boolean().describe("Whether it is the simulator that answers if nothing is configured."),
    }),
  ),
  alertFailure: maybe(z.string()).describe("Why the last budget alert of this gateway was not delivered."),
  isContextDisabled: z.boolean().describe("Whether `DISABLE_CONTEXT_COMPRESSION` is set."),
  warnings: z.array(z.string()).describe("Problems with the settings and notices about the database."),
});

/** The answer of `GET /api/health`. */
export type HealthAnswer = z.output<typeof healthSchema>;

/** The body of `POST /api/sign-in`. */
export const signInBodySchema = z.strictObject({
  token: z.string().min(1).max(1_000).describe("The token of a printed sign-in link, or the admin token."),
});

/** The answer of `POST /api/sign-in` and `POST /api/sign-out`. */
export const signedInSchema = z.object({ signedIn: z.boolean() });
