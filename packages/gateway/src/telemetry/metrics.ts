import { table } from "@longhaul/conversation";

/** The definition of one metric. */
export interface Metric {
  /** Counters only grow, sums may shrink, gauges are read on collection, histograms count values by size. */
  readonly kind: "counter" | "sum" | "gauge" | "histogram";
  /** The names for Prometheus and OpenTelemetry. */
  readonly name: string;
  readonly otel: string;
  readonly unit: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** The labels, with OpenTelemetry's attribute names. */
export const LABELS = table({
  wire: "longhaul.wire",
  action: "gen_ai.operation.name",
  model: "gen_ai.request.model",
  provider: "gen_ai.provider.name",
  upstream: "longhaul.upstream",
  status: "http.response.status_code",
  kind: "longhaul.token.kind",
  type: "gen_ai.token.type",
  strategy: "longhaul.strategy",
  quantile: "longhaul.quantile",
} as const);

type Label = keyof typeof LABELS;

/** The buckets that OpenTelemetry recommends for model calls, in seconds and in tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
/** The gateway's own share is mostly below a millisecond. */
const FINE_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const CALL = ["action", "provider", "model", "upstream"] as const;

/** Every metric, by its name in this code. docs/operations.md lists them; a test compares the two. */
export const METRICS = table({
  requests: {
    kind: "counter",
    name: "longhaul_requests_total",
    otel: "longhaul.requests",
    unit: "{request}",
    help: "Finished requests.",
    labels: ["wire", ...CALL, "status"],
  },
  duration: {
    kind: "histogram",
    name: "longhaul_request_seconds",
    otel: "gen_ai.client.operation.duration",
    unit: "s",
    help: "Time from the request's first byte to the last byte of the answer.",
    labels: CALL,
    buckets: SECONDS,
  },
  firstByte: {
    kind: "histogram",
    name: "longhaul_first_byte_seconds",
    otel: "gen_ai.client.operation.time_to_first_chunk",
    unit: "s",
    help: "Time from the request's first byte to the first byte of the answer.",
    labels: CALL,
    buckets: SECONDS,
  },
  added: {
    kind: "histogram",
    name: "longhaul_added_seconds",
    otel: "longhaul.added.duration",
    unit: "s",
    help: "Time to first byte minus the time spent waiting for upstreams.",
    labels: ["wire"],
    buckets: FINE_SECONDS,
  },
  callTokens: {
    kind: "histogram",
    name: "longhaul_call_tokens",
    otel: "gen_ai.client.token.usage",
    unit: "{token}",
    help: "Tokens of one request: input including cached tokens, output including reasoning.",
    labels: [...CALL, "type"],
    buckets: TOKENS,
  },
  tokens: {
    kind: "counter",
    name: "longhaul_tokens_total",
    otel: "longhaul.tokens",
    unit: "{token}",
    help: "Tokens reported by upstreams: input (uncached), cache_read, cache_write, output, and reasoning (also counted in output).",
    labels: ["provider", "model", "upstream", "kind"],
  },
  cost: {
    kind: "counter",
    name: "longhaul_cost_usd_total",
    otel: "longhaul.cost",
    unit: "{USD}",
    help: "Cost of requests at catalog prices.",
    labels: ["provider", "model", "upstream"],
  },
  savedTokens: {
    kind: "counter",
    name: "longhaul_saved_tokens_total",
    otel: "longhaul.saved.tokens",
    unit: "{token}",
    help: "Prompt tokens saved by condensing.",
    labels: ["model", "strategy"],
  },
  savedUsd: {
    kind: "sum",
    name: "longhaul_saved_usd",
    otel: "longhaul.saved.cost",
    unit: "{USD}",
    help: "Cost saved by condensing, before the cost of summaries.",
    labels: ["model", "strategy"],
  },
  retries: {
    kind: "counter",
    name: "longhaul_retries_total",
    otel: "longhaul.retries",
    unit: "{call}",
    help: "Upstream calls after the first one of a request.",
    labels: ["upstream"],
  },
  condensations: {
    kind: "counter",
    name: "longhaul_condensations_total",
    otel: "longhaul.condensations",
    unit: "{condensation}",
    help: "Condensations.",
    labels: ["strategy"],
  },
  condensingUsd: {
    kind: "counter",
    name: "longhaul_condensing_usd_total",
    otel: "longhaul.condensing.cost",
    unit: "{USD}",
    help: "Cost of summaries for condensations.",
    labels: ["strategy"],
  },
  condensing: {
    kind: "histogram",
    name: "longhaul_condensing_seconds",
    otel: "longhaul.condensing.duration",
    unit: "s",
    help: "Duration of condensations, including summaries.",
    labels: ["strategy"],
    buckets: SECONDS,
  },
  underWay: {
    kind: "gauge",
    name: "longhaul_requests_under_way",
    otel: "longhaul.requests.under_way",
    unit: "{request}",
    help: "Requests in flight.",
    labels: [],
  },
  circuits: {
    kind: "gauge",
    name: "longhaul_circuit_open",
    otel: "longhaul.circuit.open",
    unit: "1",
    help: "1 if the upstream's circuit breaker is open, otherwise 0.",
    labels: ["upstream"],
  },
  eventsWaiting: {
    kind: "gauge",
    name: "longhaul_events_waiting",
    otel: "longhaul.events.waiting",
    unit: "{event}",
    help: "Events waiting to be written to the database.",
    labels: [],
  },
  eventsDropped: {
    kind: "gauge",
    name: "longhaul_events_dropped",
    otel: "longhaul.events.dropped",
    unit: "{event}",
    help: "Events lost since the start because the database was too slow or unavailable.",
    labels: [],
  },
  contentsDropped: {
    kind: "gauge",
    name: "longhaul_contents_dropped",
    otel: "longhaul.contents.dropped",
    unit: "{request}",
    help: "Requests whose contents could not be stored.",
    labels: [],
  },
  spansDropped: {
    kind: "gauge",
    name: "longhaul_spans_dropped",
    otel: "longhaul.spans.dropped",
    unit: "{span}",
    help: "Spans that the collector did not receive.",
    labels: [],
  },
  loopDelay: {
    kind: "gauge",
    name: "longhaul_event_loop_delay_seconds",
    otel: "longhaul.event_loop.delay",
    unit: "s",
    help: "Event loop delay since the last scrape.",
    labels: ["quantile"],
  },
  heap: {
    kind: "gauge",
    name: "longhaul_heap_bytes",
    otel: "longhaul.memory.heap",
    unit: "By",
    help: "Heap in use.",
    labels: [],
  },
  resident: {
    kind: "gauge",
    name: "longhaul_resident_bytes",
    otel: "longhaul.memory.resident",
    unit: "By",
    help: "Resident memory of the process.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>);

export type MetricName = keyof typeof METRICS;
