import { METRICS, type Metric, type MetricName } from "./metrics.ts";

/** Counts, in memory. */
export interface Registry {
  /** One figure, to be kept by whoever adds to it often: to find it takes longer. Values of labels stand in the metric's own order. */
  find(name: MetricName, labels: readonly string[]): Figure;
  /** All figures as they are now; gauges are read. */
  collect(): readonly Family[];
}

/** A figure that is added to. */
export interface Figure {
  /** Adds to a counter or a sum, or counts a value into a histogram. */
  add(value: number): void;
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

/** Opens an empty registry over these gauges. */
export function makeRegistry(gauges: Readonly<Partial<Record<MetricName, ReadGauge>>>): Registry {
  const counted = new Map<MetricName, Map<string, Counted>>();
  const find = (name: MetricName, labels: readonly string[]): Figure => {
    const series = counted.get(name) ?? new Map<string, Counted>();
    counted.set(name, series);
    const known = series.get(labels.join("\n"));
    if (known !== undefined) return known;
    const told = series.size < MAX_SERIES ? labels : labels.map(() => OTHER);
    const found = series.get(told.join("\n")) ?? new Counted(METRICS[name], told);
    series.set(told.join("\n"), found);
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
