import { table } from "@longhaul/conversation";
import { LABELS, type Metric } from "./metrics.ts";
import type { Family, Series } from "./registry.ts";
import type { SpanPlace } from "./traceparent.ts";

/** A stretch of work, as it is told to a collector. */
export interface Span {
  readonly place: SpanPlace;
  readonly name: string;
  /** A call to somebody else, or work of our own. */
  readonly kind: "client" | "internal";
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly isError: boolean;
}

/** What an attribute may be. */
export type AttributeValue = string | number | boolean | readonly string[];

/** Who sends: the same for everything that one gateway tells. */
export interface Resource {
  readonly serviceName: string;
  readonly instance: string;
}

/** Numbers of OTLP's span kinds, status codes and temporalities. */
const SPAN_KINDS = table({ internal: 1, client: 3 } as const);
const ERROR = 2;
const CUMULATIVE = 2;

/** Spells spans as OTLP's JSON. */
export function spellSpans(spans: readonly Span[], resource: Resource): string {
  const spelled = spans.map(({ place, name, kind, startMs, endMs, attributes, isError }) => ({
    traceId: place.traceId,
    spanId: place.spanId,
    ...(place.parentSpanId !== undefined && { parentSpanId: place.parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: spellAttributes(attributes),
    status: isError ? { code: ERROR } : {},
  }));
  const scopeSpans = [{ scope: SCOPE, spans: spelled }];
  return JSON.stringify({ resourceSpans: [{ resource: spellResource(resource), scopeSpans }] });
}

/** Spells figures as OTLP's JSON; they are sums from `startMs` on. */
export function spellMetrics(
  families: readonly Family[],
  resource: Resource,
  times: { readonly startMs: number; readonly nowMs: number },
): string {
  const span = { startTimeUnixNano: nanoseconds(times.startMs), timeUnixNano: nanoseconds(times.nowMs) };
  const metrics = families
    .filter(({ series }) => series.length > 0)
    .map(({ metric, series }) => ({
      name: metric.otel,
      unit: metric.unit,
      description: metric.help,
      ...spellPoints(metric, series, span),
    }));
  const scopeMetrics = [{ scope: SCOPE, metrics }];
  return JSON.stringify({ resourceMetrics: [{ resource: spellResource(resource), scopeMetrics }] });
}

const SCOPE = { name: "longhaul" };

function spellPoints(metric: Metric, series: readonly Series[], span: object): object {
  const points = series.map(({ labels, value, counts }) => {
    const attributes = spellAttributes(
      Object.fromEntries(metric.labels.map((label, index) => [LABELS[label], labels[index] ?? ""])),
    );
    if (counts === undefined) return { ...span, attributes, asDouble: value };
    const count = counts.reduce((sum, each) => sum + each, 0);
    return {
      ...span,
      attributes,
      count: `${count}`,
      sum: value,
      bucketCounts: counts.map(String),
      explicitBounds: metric.buckets,
    };
  });
  const aggregationTemporality = CUMULATIVE;
  if (metric.kind === "gauge") return { gauge: { dataPoints: points } };
  if (metric.kind === "histogram") return { histogram: { aggregationTemporality, dataPoints: points } };
  return { sum: { aggregationTemporality, isMonotonic: metric.kind === "counter", dataPoints: points } };
}

function spellResource({ serviceName, instance }: Resource): object {
  return { attributes: spellAttributes({ "service.name": serviceName, "service.instance.id": instance }) };
}

function spellAttributes(attributes: Readonly<Record<string, AttributeValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: spellValue(value) }));
}

function spellValue(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}

/** OTLP's JSON has 64-bit numbers as text. */
function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}
