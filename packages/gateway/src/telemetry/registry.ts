import { METRICS, type Metric, type MetricName } from "./metrics.ts";

/** Counts, in memory. */
export interface Registry {
  /** Adds to a counter or a sum. Values of labels stand in the metric's own order. */
  add(name: MetricName, labels: readonly string[], value: number): void;
  /** Counts a value into a histogram. */
  observe(name: MetricName, labels: readonly string[], value: number): void;
  /** All figures as they are now; gauges are read. */
  collect(): readonly Family[];
}

/** A metric with all its figures. */
export interface Family {
  readonly metric: Metric;
  readonly series: readonly Series[];
}

/** One figure, or one histogram. */
export interface Series {
  /** Values of the metric's labels. */
  readonly labels: readonly string[];
  /** A histogram's is the sum of all that was observed. */
  readonly value: number;
  /** How many values fell into each bucket, the last of which has no upper bound. */
  readonly counts?: readonly number[];
}

/** A gauge's figures, one for each set of label values. */
export type ReadGauge = () => readonly (readonly [labels: readonly string[], value: number])[];

/** Figures of one metric that are told apart; more are counted together, because somebody may make up names. */
const MAX_SERIES = 1_000;
const OTHER = "other";

interface Counted {
  readonly labels: readonly string[];
  value: number;
  readonly counts?: number[];
}

/** Opens an empty registry over these gauges. */
export function makeRegistry(gauges: Readonly<Partial<Record<MetricName, ReadGauge>>>): Registry {
  const counted = new Map<MetricName, Map<string, Counted>>();
  const find = (name: MetricName, labels: readonly string[]): Counted => {
    const series = counted.get(name) ?? new Map<string, Counted>();
    counted.set(name, series);
    const known = series.get(labels.join("\n"));
    if (known !== undefined) return known;
    const told = series.size < MAX_SERIES ? labels : labels.map(() => OTHER);
    const { buckets }: Metric = METRICS[name];
    const found = series.get(told.join("\n")) ?? {
      labels: told,
      value: 0,
      ...(buckets !== undefined && { counts: new Array<number>(buckets.length + 1).fill(0) }),
    };
    series.set(told.join("\n"), found);
    return found;
  };
  const seriesOf = (name: MetricName): readonly Series[] => {
    const read = gauges[name];
    if (read !== undefined) return read().map(([labels, value]) => ({ labels, value }));
    return [...(counted.get(name)?.values() ?? [])];
  };
  return {
    add: (name, labels, value) => {
      find(name, labels).value += value;
    },
    observe: (name, labels, value) => {
      const series = find(name, labels);
      const { buckets = [] }: Metric = METRICS[name];
      const at = buckets.findIndex((bound) => value <= bound);
      series.value += value;
      if (series.counts !== undefined) {
        const bucket = at === -1 ? buckets.length : at;
        series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      }
    },
    collect: () => NAMES.map((name) => ({ metric: METRICS[name], series: seriesOf(name) })),
  };
}

const NAMES: readonly MetricName[] = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);
