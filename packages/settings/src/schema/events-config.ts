import { z } from "zod";
import { AT_START, SECRET } from "./marks.ts";

const days = z.int().min(1).max(3_650);

/** What is kept of every request: figures and names. */
export const eventsSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether finished requests and condensations are kept, as figures."),
  keepDays: days.default(30).describe("How many days single ones are kept; daily sums stay."),
});

/** What requests said. */
export const contentsSchema = z.strictObject({
  keep: z
    .enum(["off", "condensed", "all"])
    .default("off")
    .describe("Which requests are kept whole, as they came and as they were sent: none, those made smaller, or all."),
  keepDays: days.default(7).describe("How many days they are kept."),
  maxMiB: z.int().positive().default(512).describe("How much room they may take, packed; the oldest go first."),
});

/** Who else is told what happens. */
export const telemetrySchema = z.strictObject({
  metrics: z.boolean().default(true).describe("Whether GET /metrics tells figures in Prometheus' format."),
  otlpEndpoint: z
    .url({ protocol: /^https?$/, error: "an address that begins with http:// or https:// is needed" })
    .optional()
    .describe(
      "OpenTelemetry collector that is sent spans and metrics (OTLP over HTTP, JSON); `/v1/traces` and `/v1/metrics` are added.",
    )
    .meta(AT_START),
  otlpHeaders: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe("Further headers for the collector.")
    .meta({ ...SECRET, ...AT_START }),
  serviceName: z
    .string()
    .min(1)
    .default("longhaul")
    .describe("What the collector knows this gateway as.")
    .meta(AT_START),
  metricsSeconds: z.number().positive().default(60).describe("How often the collector is sent metrics.").meta(AT_START),
});
