import { expect, it } from "vitest";
import { METRICS } from "./metrics.ts";
import { encodeMetrics, encodeSpans } from "./otlp.ts";

const resource = { serviceName: "edge", instance: "i1" };
const ENCODED_RESOURCE = {
  attributes: [
    { key: "service.name", value: { stringValue: "edge" } },
    { key: "service.instance.id", value: { stringValue: "i1" } },
  ],
};

it("encodes spans", () => {
  const context = { traceId: "t", spanId: "s", parentSpanId: "p", isSampled: true };
  const attributes = { name: "x", count: 3, share: 0.5, is: true, list: ["a"] };
  const span = {
    context,
    name: "chat x",
    kind: "client" as const,
    startMs: 1_700_000_000_000.5,
    endMs: 1_700_000_000_001,
  };
  expect(JSON.parse(encodeSpans([{ ...span, attributes, isError: true }], resource))).toEqual({
    resourceSpans: [
      {
        resource: ENCODED_RESOURCE,
        scopeSpans: [
          {
            scope: { name: "longhaul" },
            spans: [
              {
                traceId: "t",
                spanId: "s",
                parentSpanId: "p",
                name: "chat x",
                kind: 3,
                startTimeUnixNano: "1700000000000500000",
                endTimeUnixNano: "1700000000001000000",
                attributes: [
                  { key: "name", value: { stringValue: "x" } },
                  { key: "count", value: { intValue: "3" } },
                  { key: "share", value: { doubleValue: 0.5 } },
                  { key: "is", value: { boolValue: true } },
                  { key: "list", value: { arrayValue: { values: [{ stringValue: "a" }] } } },
                ],
                status: { code: 2 },
              },
            ],
          },
        ],
      },
    ],
  });
});

it("encodes counters, sums, gauges and histograms, and leaves out metrics without values", () => {
  const families = [
    { metric: METRICS.retries, series: [{ labels: ["up"], value: 2 }] },
    { metric: METRICS.savedUsd, series: [{ labels: ["m", "s"], value: -1 }] },
    { metric: METRICS.heap, series: [{ labels: [], value: 5 }] },
    { metric: METRICS.added, series: [{ labels: ["w"], value: 1.5, counts: [1, 2] }] },
    { metric: METRICS.cost, series: [] },
  ];
  const text = encodeMetrics(families, resource, { startMs: 1, nowMs: 2 });
  const span = { startTimeUnixNano: "1000000", timeUnixNano: "2000000" };
  const at = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  expect(JSON.parse(text).resourceMetrics[0].scopeMetrics[0].metrics).toMatchObject([
    {
      name: "longhaul.retries",
      unit: "{call}",
      sum: {
        isMonotonic: true,
        aggregationTemporality: 2,
        dataPoints: [{ ...span, asDouble: 2, attributes: [at("longhaul.upstream", "up")] }],
      },
    },
    { name: "longhaul.saved.cost", sum: { isMonotonic: false } },
    { name: "longhaul.memory.heap", gauge: { dataPoints: [{ asDouble: 5, attributes: [] }] } },
    {
      name: "longhaul.added.duration",
      histogram: {
        aggregationTemporality: 2,
        dataPoints: [{ count: "3", sum: 1.5, bucketCounts: ["1", "2"], explicitBounds: METRICS.added.buckets }],
      },
    },
  ]);
});
