import { expect, it } from "vitest";
import { METRICS, type Metric } from "./metrics.ts";

const metrics: readonly Metric[] = Object.values(METRICS);

it("gives every figure names of its own", () => {
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
  expect(new Set(metrics.map(({ otel }) => otel)).size).toBe(metrics.length);
});

it("names counters as Prometheus wants them, and gives histograms rising buckets", () => {
  expect(metrics.filter(({ kind, name }) => (kind === "counter") !== name.endsWith("_total"))).toEqual([]);
  for (const { kind, buckets = [] } of metrics) {
    expect(buckets.length > 0).toBe(kind === "histogram");
    expect([...buckets].sort((a, b) => a - b)).toEqual(buckets);
  }
});
