import { describe, expect, it } from "vitest";
import { METRICS } from "./metrics.ts";
import { makeRegistry } from "./registry.ts";

const find = (registry: ReturnType<typeof makeRegistry>, name: keyof typeof METRICS) =>
  registry.collect().find(({ metric }) => metric === METRICS[name])?.series;

describe("makeRegistry", () => {
  it("adds up values with the same labels", () => {
    const registry = makeRegistry({});
    registry.find("retries", ["a"]).add(1);
    registry.find("retries", ["b"]).add(2);
    registry.find("retries", ["a"]).add(3);
    expect(find(registry, "retries")).toEqual([
      { labels: ["a"], value: 4 },
      { labels: ["b"], value: 2 },
    ]);
  });

  it("counts a value in the bucket whose bound it does not exceed", () => {
    const registry = makeRegistry({});
    for (const seconds of [0.0005, 0.0006, 31]) registry.find("added", ["w"]).add(seconds);
    const [series] = find(registry, "added") ?? [];
    expect(series?.value).toBeCloseTo(31.0011);
    expect(series?.counts?.slice(0, 3)).toEqual([1, 1, 0]);
    expect(series?.counts?.at(-1)).toBe(1);
    expect(series?.counts).toHaveLength(METRICS.added.buckets.length + 1);
  });

  it("reads gauges on collection", () => {
    let waiting = 1;
    const registry = makeRegistry({ eventsWaiting: () => [[[], waiting]] });
    expect(find(registry, "eventsWaiting")).toEqual([{ labels: [], value: 1 }]);
    waiting = 2;
    expect(find(registry, "eventsWaiting")).toEqual([{ labels: [], value: 2 }]);
  });

  it("counts as other what exceeds 1,000 label sets", () => {
    const registry = makeRegistry({});
    for (let index = 0; index < 5_000; index++) registry.find("retries", [`made up ${index}`]).add(1);
    const series = find(registry, "retries") ?? [];
    expect(series).toHaveLength(1_001);
    expect(series.at(-1)).toEqual({ labels: ["other"], value: 4_000 });
  });
});
