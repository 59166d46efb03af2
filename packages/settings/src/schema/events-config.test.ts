import { expect, it } from "vitest";
import { contentsSchema, eventsSchema, telemetrySchema } from "./events-config.ts";

it("keeps figures for a month and nothing that anybody said, unless the operator says otherwise", () => {
  expect(eventsSchema.parse({})).toEqual({ enabled: true, keepDays: 30 });
  expect(contentsSchema.parse({})).toEqual({ keep: "off", keepDays: 7, maxMiB: 512 });
});

it("tells no collector of anything until it is given an address", () => {
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
])("refuses %s", (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(false);
});
