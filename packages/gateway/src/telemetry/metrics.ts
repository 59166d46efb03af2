import { table } from "@longhaul/conversation/advanced";

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

interface MetricDetails extends Pick<Metric, "unit" | "help" | "buckets"> {
  /** @default none */
  readonly labels?: Metric["labels"];
}

const NO_LABELS: Metric["labels"] = [];

/** Returns a function that defines a metric by its names for Prometheus and OpenTelemetry. */
function definer(kind: Metric["kind"]) {
  return <Details extends MetricDetails>(name: string, otel: string, details: Details) => {
    return { kind, name, otel, labels: NO_LABELS, ...details };
  };
}

const counter = definer("counter");
const sum = definer("sum");
const gauge = definer("gauge");
const histogram = definer("histogram");

/** Every metric, by its name in this code. docs/operations.md lists them; a test compares the two. */
export const METRICS = table({
  requests: counter("longhaul_requests_total", "longhaul.requests", {
    unit: "{request}",
    help: "Finished requests.",
    labels: ["wire", ...CALL, "status"],
  }),
  duration: histogram("longhaul_request_seconds", "gen_ai.client.operation.duration", {
    unit: "s",
    help: "Time from the request's first byte to the last byte of the response.",
    labels: CALL,
    buckets: SECONDS,
  }),
  firstByte: histogram("longhaul_first_byte_seconds", "gen_ai.client.operation.time_to_first_chunk", {
    unit: "s",
    help: "Time from the request's first byte to the first byte of the response.",
    labels: CALL,
    buckets: SECONDS,
  }),
  added: histogram("longhaul_added_seconds", "longhaul.added.duration", {
    unit: "s",
    help: "Time to first byte minus the time spent waiting for upstreams.",
    labels: ["wire"],
    buckets: FINE_SECONDS,
  }),
  callTokens: histogram("longhaul_call_tokens", "gen_ai.client.token.usage", {
    unit: "{token}",
    help: "Tokens of one request: input including cached tokens, output including reasoning.",
    labels: [...CALL, "type"],
    buckets: TOKENS,
  }),
  tokens: counter("longhaul_tokens_total", "longhaul.tokens", {
    unit: "{token}",
    help: "Tokens reported by upstreams: input (uncached), cache_read, cache_write, output, and reasoning (also counted in output).",
    labels: ["provider", "model", "upstream", "kind"],
  }),
  cost: counter("longhaul_cost_usd_total", "longhaul.cost", {
    unit: "{USD}",
    help: "Cost of requests at list prices.",
    labels: ["provider", "model", "upstream"],
  }),
  savedTokens: counter("longhaul_saved_tokens_total", "longhaul.saved.tokens", {
    unit: "{token}",
    help: "Prompt tokens saved by condensing.",
    labels: ["model", "strategy"],
  }),
  savedUsd: sum("longhaul_saved_usd", "longhaul.saved.cost", {
    unit: "{USD}",
    help: "Cost saved by condensing, before the cost of summaries.",
    labels: ["model", "strategy"],
  }),
  copiedMarks: counter("longhaul_copied_marks_total", "longhaul.copied_marks", {
    unit: "{mark}",
    help: "Marks of left-out content that models copied into the arguments of tool calls.",
    labels: ["model", "strategy"],
  }),
  retries: counter("longhaul_retries_total", "longhaul.retries", {
    unit: "{call}",
    help: "Upstream calls after the first one of a request.",
    labels: ["upstream"],
  }),
  condensations: counter("longhaul_condensations_total", "longhaul.condensations", {
    unit: "{condensation}",
    help: "Condensations.",
    labels: ["strategy"],
  }),
  condensingUsd: counter("longhaul_condensing_usd_total", "longhaul.condensing.cost", {
    unit: "{USD}",
    help: "Cost of summaries for condensations.",
    labels: ["strategy"],
  }),
  condensing: histogram("longhaul_condensing_seconds", "longhaul.condensing.duration", {
    unit: "s",
    help: "Duration of condensations, including summaries.",
    labels: ["strategy"],
    buckets: SECONDS,
  }),
  underWay: gauge("longhaul_requests_under_way", "longhaul.requests.under_way", {
    unit: "{request}",
    help: "Requests in flight.",
  }),
  circuits: gauge("longhaul_circuit_open", "longhaul.circuit.open", {
    unit: "1",
    help: "1 if the upstream's circuit breaker is open, otherwise 0.",
    labels: ["upstream"],
  }),
  eventsWaiting: gauge("longhaul_events_waiting", "longhaul.events.waiting", {
    unit: "{event}",
    help: "Events waiting to be written to the database.",
  }),
  eventsDropped: gauge("longhaul_events_dropped", "longhaul.events.dropped", {
    unit: "{event}",
    help: "Events lost since the start because the database was too slow or unavailable.",
  }),
  contentsDropped: gauge("longhaul_contents_dropped", "longhaul.contents.dropped", {
    unit: "{request}",
    help: "Requests whose contents could not be stored.",
  }),
  spansDropped: gauge("longhaul_spans_dropped", "longhaul.spans.dropped", {
    unit: "{span}",
    help: "Spans that the collector did not receive.",
  }),
  loopDelay: gauge("longhaul_event_loop_delay_seconds", "longhaul.event_loop.delay", {
    unit: "s",
    help: "Event loop delay since the last scrape.",
    labels: ["quantile"],
  }),
  heap: gauge("longhaul_heap_bytes", "longhaul.memory.heap", { unit: "By", help: "Heap in use." }),
  resident: gauge("longhaul_resident_bytes", "longhaul.memory.resident", {
    unit: "By",
    help: "Resident memory of the process.",
  }),
});

export type MetricName = keyof typeof METRICS;
