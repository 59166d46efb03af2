import { expect, it } from "vitest";
import { contentsSchema, eventsSchema, telemetrySchema } from "./events-config.ts";

it("stores metadata for a month and no content by default", () => {
  expect(eventsSchema.parse({})).toEqual({ enabled: true, keepDays: 30, titles: true });
  expect(contentsSchema.parse({})).toEqual({ keep: "off", keepDays: 7, maxMiB: 512 });
});

it("exports nothing without a collector", () => {
  expect(telemetrySchema.parse({})).toEqual({
    metrics: true,
    otlpHeaders: {},
    serviceName: "longhaul",
    metricsSeconds: 60,
  });
});

it.each([
  ["a collector without http", telemetrySchema, { otlpEndpoint: "localhost:4318" }],
  ["nothing kept for no time", eventsSchema, { keepDays: 0 }],
  ["contents of another kind", contentsSchema, { keep: "some" }],
  ["a key that there is not", eventsSchema, { days: 3 }],
])("rejects %s", (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(false);
});
