import { table } from "@longhaul/conversation";
/** A figure that is told to whoever collects them. */
export interface Metric {
  /** Counters only grow, sums may shrink, gauges are read when somebody asks, histograms share values out by their size. */
  readonly kind: "counter" | "sum" | "gauge" | "histogram";
  /** For Prometheus, and for OpenTelemetry. */
  readonly name: string;
  readonly otel: string;
  readonly unit: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** What figures are told apart by, and what OpenTelemetry calls it. */
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

/** One of them. */
type Label = keyof typeof LABELS;

/** The buckets that OpenTelemetry recommends for calls of models, in seconds and in tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
/** What we add ourselves is mostly below a millisecond. */
const FINE_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const CALL = ["action", "provider", "model", "upstream"] as const;

/** Every figure that there is. */
export const METRICS = table({
  requests: {
    kind: "counter",
    name: "longhaul_requests_total",
    otel: "longhaul.requests",
    unit: "{request}",
    help: "Requests that are over.",
    labels: ["wire", ...CALL, "status"],
  },
  duration: {
    kind: "histogram",
    name: "longhaul_request_seconds",
    otel: "gen_ai.client.operation.duration",
    unit: "s",
    help: "How long requests took until all of the answer was sent.",
    labels: CALL,
    buckets: SECONDS,
  },
  firstByte: {
    kind: "histogram",
    name: "longhaul_first_byte_seconds",
    otel: "gen_ai.client.operation.time_to_first_chunk",
    unit: "s",
    help: "How long requests took until the first byte of the answer was sent.",
    labels: CALL,
    buckets: SECONDS,
  },
  added: {
    kind: "histogram",
    name: "longhaul_added_seconds",
    otel: "longhaul.added.duration",
    unit: "s",
    help: "How much of the time until the first byte no upstream was waited for.",
    labels: ["wire"],
    buckets: FINE_SECONDS,
  },
  callTokens: {
    kind: "histogram",
    name: "longhaul_call_tokens",
    otel: "gen_ai.client.token.usage",
    unit: "{token}",
    help: "Tokens of one request: input with what was cached, output with thinking.",
    labels: [...CALL, "type"],
    buckets: TOKENS,
  },
  tokens: {
    kind: "counter",
    name: "longhaul_tokens_total",
    otel: "longhaul.tokens",
    unit: "{token}",
    help: "Tokens that upstreams reported: input (neither read from a cache nor written to one), cache_read, cache_write, output, and reasoning, which is in output too.",
    labels: ["provider", "model", "upstream", "kind"],
  },
  cost: {
    kind: "counter",
    name: "longhaul_cost_usd_total",
    otel: "longhaul.cost",
    unit: "{USD}",
    help: "What requests cost, by the catalog's prices.",
    labels: ["provider", "model", "upstream"],
  },
  savedTokens: {
    kind: "counter",
    name: "longhaul_saved_tokens_total",
    otel: "longhaul.saved.tokens",
    unit: "{token}",
    help: "Prompt tokens that were not sent because conversations had been made smaller.",
    labels: ["model", "strategy"],
  },
  savedUsd: {
    kind: "sum",
    name: "longhaul_saved_usd",
    otel: "longhaul.saved.cost",
    unit: "{USD}",
    help: "What requests would have cost more as they came. What summaries cost is not taken off.",
    labels: ["model", "strategy"],
  },
  retries: {
    kind: "counter",
    name: "longhaul_retries_total",
    otel: "longhaul.retries",
    unit: "{call}",
    help: "Calls to upstreams after the first one of a request.",
    labels: ["upstream"],
  },
  condensations: {
    kind: "counter",
    name: "longhaul_condensations_total",
    otel: "longhaul.condensations",
    unit: "{condensation}",
    help: "Conversations that were made smaller.",
    labels: ["strategy"],
  },
  condensingUsd: {
    kind: "counter",
    name: "longhaul_condensing_usd_total",
    otel: "longhaul.condensing.cost",
    unit: "{USD}",
    help: "What the summaries for that cost.",
    labels: ["strategy"],
  },
  condensing: {
    kind: "histogram",
    name: "longhaul_condensing_seconds",
    otel: "longhaul.condensing.duration",
    unit: "s",
    help: "How long that took, summaries included.",
    labels: ["strategy"],
    buckets: SECONDS,
  },
  underWay: {
    kind: "gauge",
    name: "longhaul_requests_under_way",
    otel: "longhaul.requests.under_way",
    unit: "{request}",
    help: "Requests that are being answered.",
    labels: [],
  },
  circuits: {
    kind: "gauge",
    name: "longhaul_circuit_open",
    otel: "longhaul.circuit.open",
    unit: "1",
    help: "1 where an upstream has kept failing and is left alone for a while, else 0.",
    labels: ["upstream"],
  },
  eventsWaiting: {
    kind: "gauge",
    name: "longhaul_events_waiting",
    otel: "longhaul.events.waiting",
    unit: "{event}",
    help: "Events that are not in the database yet.",
    labels: [],
  },
  eventsDropped: {
    kind: "gauge",
    name: "longhaul_events_dropped",
    otel: "longhaul.events.dropped",
    unit: "{event}",
    help: "Events that were lost since the start, because the database was too slow or away.",
    labels: [],
  },
  contentsDropped: {
    kind: "gauge",
    name: "longhaul_contents_dropped",
    otel: "longhaul.contents.dropped",
    unit: "{request}",
    help: "Requests whose contents were to be kept and were not.",
    labels: [],
  },
  spansDropped: {
    kind: "gauge",
    name: "longhaul_spans_dropped",
    otel: "longhaul.spans.dropped",
    unit: "{span}",
    help: "Spans that the collector did not get.",
    labels: [],
  },
  loopDelay: {
    kind: "gauge",
    name: "longhaul_event_loop_delay_seconds",
    otel: "longhaul.event_loop.delay",
    unit: "s",
    help: "How late the event loop was since somebody last asked.",
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
    help: "Memory that the process has.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, Metric>>);

/** The name of a figure in this code. */
export type MetricName = keyof typeof METRICS;
