import { expect, it } from "vitest";
import { METRICS, type Metric } from "./metrics.ts";

const metrics: readonly Metric[] = Object.values(METRICS);

it("gives every metric unique names", () => {
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
  expect(new Set(metrics.map(({ otel }) => otel)).size).toBe(metrics.length);
});

it("ends counter names in _total and gives histograms ascending buckets", () => {
  expect(metrics.filter(({ kind, name }) => (kind === "counter") !== name.endsWith("_total"))).toEqual([]);
  for (const { kind, buckets = [] } of metrics) {
    expect(buckets.length > 0).toBe(kind === "histogram");
    expect([...buckets].sort((a, b) => a - b)).toEqual(buckets);
  }
});
