import { METRICS, type Metric, type MetricName } from "./metrics.ts";

/** The metrics' current values, in memory. */
export interface Registry {
  /** Returns one figure. Looking it up costs more than adding to it, so frequent callers keep it. Label values are in the metric's own order. */
  find(name: MetricName, labels: readonly string[]): Figure;
  /** Returns all current values; reads the gauges. */
  collect(): readonly Family[];
}

export interface Figure {
  /** Adds to a counter or sum, or observes a value for a histogram. */
  add(value: number): void;
}

export interface Family {
  readonly metric: Metric;
  readonly series: readonly Series[];
}

export interface Series {
  /** Values of the metric's labels. */
  readonly labels: readonly string[];
  /** For a histogram: the sum of all observed values. */
  readonly value: number;
  /** Observations per bucket; the last bucket has no upper bound. */
  readonly counts?: readonly number[];
}

/** Reads a gauge: one value for each set of label values. */
export type ReadGauge = () => readonly (readonly [labels: readonly string[], value: number])[];

/** Series per metric. Clients can make up names, so everything beyond is counted as `other`. */
const MAX_SERIES = 1_000;
const OTHER = "other";

class Counted implements Figure, Series {
  readonly labels: readonly string[];
  readonly counts?: number[];
  readonly #bounds: readonly number[];
  value = 0;

  constructor({ buckets }: Metric, labels: readonly string[]) {
    this.labels = labels;
    this.#bounds = buckets ?? [];
    if (buckets !== undefined) this.counts = new Array<number>(buckets.length + 1).fill(0);
  }

  add(value: number): void {
    this.value += value;
    if (this.counts === undefined) return;
    let bucket = 0;
    for (const bound of this.#bounds) {
      if (value <= bound) break;
      bucket++;
    }
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
  }
}

export function makeRegistry(gauges: Readonly<Partial<Record<MetricName, ReadGauge>>>): Registry {
  const counted = new Map<MetricName, Map<string, Counted>>();
  const find = (name: MetricName, labels: readonly string[]): Figure => {
    const series = counted.get(name) ?? new Map<string, Counted>();
    counted.set(name, series);
    const known = series.get(labels.join("\n"));
    if (known !== undefined) return known;
    const kept = series.size < MAX_SERIES ? labels : labels.map(() => OTHER);
    const found = series.get(kept.join("\n")) ?? new Counted(METRICS[name], kept);
    series.set(kept.join("\n"), found);
    return found;
  };
  const seriesOf = (name: MetricName): readonly Series[] => {
    const read = gauges[name];
    if (read !== undefined) return read().map(([labels, value]) => ({ labels, value }));
    return [...(counted.get(name)?.values() ?? [])];
  };
  return {
    find,
    collect: () => NAMES.map((name) => ({ metric: METRICS[name], series: seriesOf(name) })),
  };
}

const NAMES: readonly MetricName[] = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);
