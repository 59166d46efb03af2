import { table } from "@longhaul/conversation/advanced";
import { LABELS, type Metric } from "./metrics.ts";
import type { Family, Series } from "./registry.ts";

export interface Span {
  readonly context: SpanContext;
  readonly name: string;
  readonly kind: "client" | "internal";
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly isError: boolean;
}

/** The position of a span in a trace. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  /** The client's own span, or the request's. */
  readonly parentSpanId?: string;
  /** Whether the client samples the trace. */
  readonly isSampled: boolean;
}

export type AttributeValue = string | number | boolean | readonly string[];

/** The sender; the same for everything that one gateway reports. */
export interface Resource {
  readonly serviceName: string;
  readonly instance: string;
}

/** Numbers of OTLP's span kinds, status codes and temporalities. */
const SPAN_KINDS = table({ internal: 1, client: 3 } as const);
const ERROR = 2;
const CUMULATIVE = 2;

export function encodeSpans(spans: readonly Span[], resource: Resource): string {
  const encoded = spans.map(({ context, name, kind, startMs, endMs, attributes, isError }) => ({
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.parentSpanId !== undefined && { parentSpanId: context.parentSpanId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: encodeAttributes(attributes),
    status: isError ? { code: ERROR } : {},
  }));
  const scopeSpans = [{ scope: SCOPE, spans: encoded }];
  return JSON.stringify({ resourceSpans: [{ resource: encodeResource(resource), scopeSpans }] });
}

/** Encodes metrics as OTLP JSON, cumulative since `startMs`. */
export function encodeMetrics(
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
      ...encodePoints(metric, series, span),
    }));
  const scopeMetrics = [{ scope: SCOPE, metrics }];
  return JSON.stringify({ resourceMetrics: [{ resource: encodeResource(resource), scopeMetrics }] });
}

const SCOPE = { name: "longhaul" };

function encodePoints(metric: Metric, series: readonly Series[], span: object): object {
  const points = series.map(({ labels, value, counts }) => {
    const attributes = encodeAttributes(
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

function encodeResource({ serviceName, instance }: Resource): object {
  return { attributes: encodeAttributes({ "service.name": serviceName, "service.instance.id": instance }) };
}

function encodeAttributes(attributes: Readonly<Record<string, AttributeValue>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: encodeValue(value) }));
}

function encodeValue(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
  return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
}

/** OTLP JSON writes 64-bit integers as strings. */
function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}
