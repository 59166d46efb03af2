import { expect, it } from "vitest";
import { spellPrometheus } from "./prometheus.ts";

it("spells counters, gauges and sums", () => {
  const metric = { otel: "x", unit: "1", help: "Things.", labels: ["model", "strategy"] } as const;
  const series = [{ labels: ['a"b\\c\nd', ""], value: 1.5 }];
  const text = spellPrometheus([
    { metric: { ...metric, kind: "counter", name: "things_total" }, series },
    { metric: { ...metric, kind: "sum", name: "left", labels: [] }, series: [{ labels: [], value: -2 }] },
    { metric: { ...metric, kind: "gauge", name: "none" }, series: [] },
  ]);
  expect(text.split("\n")).toEqual([
    "# HELP things_total Things.",
    "# TYPE things_total counter",
    'things_total{model="a\\"b\\\\c\\nd",strategy=""} 1.5',
    "# HELP left Things.",
    "# TYPE left gauge",
    "left -2",
    "# HELP none Things.",
    "# TYPE none gauge",
    "",
  ]);
});

it("spells histograms with buckets that hold those before them", () => {
  const metric = { kind: "histogram", name: "t", otel: "t", unit: "s", help: "T.", labels: ["wire"] } as const;
  const series = [{ labels: ["w"], value: 7.5, counts: [1, 0, 2] }];
  expect(
    spellPrometheus([{ metric: { ...metric, buckets: [0.5, 1] }, series }])
      .split("\n")
      .slice(2),
  ).toEqual([
    't_bucket{wire="w",le="0.5"} 1',
    't_bucket{wire="w",le="1"} 1',
    't_bucket{wire="w",le="+Inf"} 3',
    't_sum{wire="w"} 7.5',
    't_count{wire="w"} 3',
    "",
  ]);
});
