import { z } from "zod";

const maybe = z.exactOptional;

/** The ways to make a conversation smaller. */
export const strategiesSchema = z.object({
  strategies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      version: z.string(),
      capabilities: z.object({
        lossless: z.boolean(),
        batchMode: z.boolean(),
        individualMode: z.boolean(),
        multiPass: z.boolean(),
        summarizes: z.boolean(),
        speed: z.enum(["fast", "medium", "slow"]),
      }),
      thresholdPercent: maybe(z.number()).describe(
        "Share of the window at which it begins where nobody says otherwise.",
      ),
      schema: z.record(z.string(), z.unknown()).describe("What its settings may be, as JSON Schema."),
      defaults: z.record(z.string(), z.unknown()).describe("Its settings where nobody says otherwise."),
      docs: z.string().describe("The address of its page, beside the dashboard."),
    }),
  ),
});

/** What `GET /api/strategies` answers. */
export type StrategiesAnswer = z.output<typeof strategiesSchema>;
