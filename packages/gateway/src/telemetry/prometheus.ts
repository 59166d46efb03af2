import type { Metric } from "./metrics.ts";
import type { Family, Series } from "./registry.ts";

/** Writes metrics in Prometheus' text format, with a `worker` label if there are several workers. */
export function writePrometheus(families: readonly Family[], worker?: string): string {
  const lines = families.flatMap(({ metric, series }) => [
    `# HELP ${metric.name} ${metric.help}`,
    `# TYPE ${metric.name} ${metric.kind === "sum" ? "gauge" : metric.kind}`,
    ...series.flatMap((each) => samples(metric, each, worker)),
  ]);
  return `${lines.join("\n")}\n`;
}

/** Joins the texts of several workers. Prometheus requires the samples of one metric to be contiguous. */
export function joinPrometheus(texts: readonly string[]): string {
  const families = new Map<string, string[]>();
  for (const family of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const [help = "", type = "", ...lines] = family.trimEnd().split("\n");
    const head = `${help}\n${type}`;
    families.set(head, [...(families.get(head) ?? []), ...lines]);
  }
  return [...families].map(([head, lines]) => `${[head, ...lines].join("\n")}\n`).join("");
}

function samples(metric: Metric, series: Series, worker: string | undefined): string[] {
  const isOne = worker === undefined;
  const named = { ...metric, labels: isOne ? metric.labels : [...metric.labels, "worker"] };
  const valued = { ...series, labels: isOne ? series.labels : [...series.labels, worker] };
  if (metric.kind === "histogram") return histogram(named, valued);
  return [`${metric.name}${writeLabels(named.labels, valued.labels)} ${series.value}`];
}

interface Named extends Omit<Metric, "labels"> {
  readonly labels: readonly string[];
}

function histogram({ name, labels, buckets = [] }: Named, { labels: values, value, counts = [] }: Series): string[] {
  const bounds = [...buckets.map(String), "+Inf"];
  let sum = 0;
  const lines = bounds.map((bound, index) => {
    sum += counts[index] ?? 0;
    return `${name}_bucket${writeLabels([...labels, "le"], [...values, bound])} ${sum}`;
  });
  const own = writeLabels(labels, values);
  return [...lines, `${name}_sum${own} ${value}`, `${name}_count${own} ${sum}`];
}

function writeLabels(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "";
  return `{${names.map((name, index) => `${name}="${escaped(values[index] ?? "")}"`).join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
