import type { Metric } from "./metrics.ts";
import type { Family, Series } from "./registry.ts";

/** The type of the text, as scrapers ask for it. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Spells figures as Prometheus reads them. */
export function spellPrometheus(families: readonly Family[]): string {
  const lines = families.flatMap(({ metric, series }) => [
    `# HELP ${metric.name} ${metric.help}`,
    `# TYPE ${metric.name} ${metric.kind === "sum" ? "gauge" : metric.kind}`,
    ...series.flatMap((each) => (metric.kind === "histogram" ? histogram(metric, each) : [line(metric, each)])),
  ]);
  return `${lines.join("\n")}\n`;
}

function line({ name, labels }: Metric, series: Series): string {
  return `${name}${spellLabels(labels, series.labels)} ${series.value}`;
}

function histogram({ name, labels, buckets = [] }: Metric, { labels: values, value, counts = [] }: Series): string[] {
  const bounds = [...buckets.map(String), "+Inf"];
  let sum = 0;
  const lines = bounds.map((bound, index) => {
    sum += counts[index] ?? 0;
    return `${name}_bucket${spellLabels([...labels, "le"], [...values, bound])} ${sum}`;
  });
  const own = spellLabels(labels, values);
  return [...lines, `${name}_sum${own} ${value}`, `${name}_count${own} ${sum}`];
}

function spellLabels(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "";
  return `{${names.map((name, index) => `${name}="${escaped(values[index] ?? "")}"`).join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
