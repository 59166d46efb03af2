import { expect, it } from "vitest";
import { joinPrometheus, writePrometheus } from "./prometheus.ts";

it("writes counters, gauges and sums", () => {
  const metric = { otel: "x", unit: "1", help: "Things.", labels: ["model", "strategy"] } as const;
  const series = [{ labels: ['a"b\\c\nd', ""], value: 1.5 }];
  const text = writePrometheus([
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

it("writes histograms with cumulative buckets", () => {
  const metric = { kind: "histogram", name: "t", otel: "t", unit: "s", help: "T.", labels: ["wire"] } as const;
  const series = [{ labels: ["w"], value: 7.5, counts: [1, 0, 2] }];
  expect(
    writePrometheus([{ metric: { ...metric, buckets: [0.5, 1] }, series }])
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

it("labels samples with their worker, and joins several workers metric by metric", () => {
  const metric = { otel: "x", unit: "1", help: "Things.", labels: ["wire"] } as const;
  const write = (worker: string, value: number) =>
    writePrometheus(
      [
        { metric: { ...metric, kind: "counter", name: "things_total" }, series: [{ labels: ["w"], value }] },
        { metric: { ...metric, kind: "gauge", name: "none" }, series: [] },
        { metric: { ...metric, kind: "gauge", name: "heap", labels: [] }, series: [{ labels: [], value }] },
        {
          metric: { ...metric, kind: "histogram", name: "t", labels: [], buckets: [1] },
          series: [{ labels: [], value, counts: [1, 0] }],
        },
      ],
      worker,
    );
  expect(joinPrometheus([write("2", 7), write("1", 5)]).split("\n")).toEqual([
    "# HELP things_total Things.",
    "# TYPE things_total counter",
    'things_total{wire="w",worker="2"} 7',
    'things_total{wire="w",worker="1"} 5',
    "# HELP none Things.",
    "# TYPE none gauge",
    "# HELP heap Things.",
    "# TYPE heap gauge",
    'heap{worker="2"} 7',
    'heap{worker="1"} 5',
    "# HELP t Things.",
    "# TYPE t histogram",
    ...["2", "1"].flatMap((worker) => [
      `t_bucket{worker="${worker}",le="1"} 1`,
      `t_bucket{worker="${worker}",le="+Inf"} 1`,
      `t_sum{worker="${worker}"} ${worker === "2" ? 7 : 5}`,
      `t_count{worker="${worker}"} 1`,
    ]),
    "",
  ]);
  expect(joinPrometheus([write("1", 5)])).toBe(write("1", 5));
});
