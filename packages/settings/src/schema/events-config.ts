import { z } from "zod";
import { AT_START, SECRET } from "./marks.ts";

const days = z.int().min(1).max(3_650);

export const eventsSchema = z.strictObject({
  enabled: z.boolean().default(true).describe("Whether to store metadata of requests and condensations."),
  keepDays: days.default(30).describe("Days after which events are deleted. Daily totals are kept."),
  titles: z
    .boolean()
    .default(true)
    .describe(
      "Whether to store the title of each session (the first words of the user), its project folder and its Git branch.",
    ),
});

export const contentsSchema = z.strictObject({
  keep: z
    .enum(["off", "condensed", "all"])
    .default("off")
    .describe("Which requests to record, with the received and the sent body: `off` (none), `condensed` or `all`."),
  keepDays: days.default(7).describe("Days after which recorded content is deleted."),
  maxMiB: z
    .int()
    .positive()
    .default(512)
    .describe("Maximum compressed size of all recorded content. The oldest is deleted first."),
});

export const telemetrySchema = z.strictObject({
  metrics: z.boolean().default(true).describe("Whether GET /metrics serves metrics for Prometheus."),
  otlpEndpoint: z
    .url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" })
    .optional()
    .describe(
      "URL of an OpenTelemetry collector for spans and metrics (OTLP over HTTP, JSON); `/v1/traces` and `/v1/metrics` are appended.",
    )
    .meta(AT_START),
  otlpHeaders: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe("Additional headers for the collector.")
    .meta({ ...SECRET, ...AT_START }),
  serviceName: z
    .string()
    .min(1)
    .default("longhaul")
    .describe("Service name that the gateway reports to the collector.")
    .meta(AT_START),
  metricsSeconds: z.number().positive().default(60).describe("Seconds between metrics exports.").meta(AT_START),
});

/** Long enough to resist guessing. */
const MIN_WEBHOOK_SECRET_CHARS = 16;

export const alertsSchema = z.strictObject({
  webhook: z
    .url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" })
    .optional()
    .describe("URL that gets a JSON message when a key has spent 50, 80 and 100% of its limit per day or month.")
    .meta(SECRET),
  webhookSecret: z
    .string()
    .min(MIN_WEBHOOK_SECRET_CHARS)
    .optional()
    .describe("Secret for the signature of each message (HMAC-SHA-256), in the header `x-longhaul-signature`.")
    .meta(SECRET),
});
