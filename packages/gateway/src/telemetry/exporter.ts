import { failureCode } from "../logging/redact.ts";
import type { Span } from "./otlp.ts";

/** Sends spans to a collector in batches. */
export interface Exporter {
  /** Never blocks: a span that does not fit the queue is dropped. */
  span(span: Span): void;
  /** Number of spans that the collector did not get. */
  dropped(): number;
  /** Sends the queued spans and the metrics a last time. */
  close(): Promise<void>;
}

export interface ExporterOptions {
  /** Posts a body to one of the collector's paths; rejects if the collector does. */
  readonly send: (path: "/v1/traces" | "/v1/metrics", body: string) => Promise<void>;
  readonly encodeSpans: (spans: readonly Span[]) => string;
  readonly encodeMetrics: () => string;
  readonly metricsMs: number;
  /** Called once each time the collector starts to fail. */
  readonly warn: (what: string) => void;
}

const FLUSH_MS = 2_000;
const BATCH_SPANS = 200;
const MAX_WAITING = 2_000;

/** Opens an exporter that sends one request at a time. Rejected spans are lost; metrics are cumulative, so the next report covers a lost one. */
export function openExporter(options: ExporterOptions): Exporter {
  const { send, encodeSpans, encodeMetrics, metricsMs, warn } = options;
  const waiting: Span[] = [];
  const isAccepted = watchFailures(warn);
  let dropped = 0;
  let sending = Promise.resolve();
  const flush = () => {
    sending = sending.then(async () => {
      for (let batch = waiting.splice(0, BATCH_SPANS); batch.length > 0; batch = waiting.splice(0, BATCH_SPANS)) {
        if (!(await isAccepted(send("/v1/traces", encodeSpans(batch))))) dropped += batch.length;
      }
    });
    return sending;
  };
  const sendMetrics = () => {
    sending = sending.then(async () => void (await isAccepted(send("/v1/metrics", encodeMetrics()))));
    return sending;
  };
  const timers = [setInterval(() => void flush(), FLUSH_MS), setInterval(() => void sendMetrics(), metricsMs)];
  for (const timer of timers) timer.unref();
  return {
    span: (span) => {
      if (waiting.length >= MAX_WAITING) dropped += 1;
      else waiting.push(span);
    },
    dropped: () => dropped,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await flush();
      await sendMetrics();
    },
  };
}

/** Returns a function that says whether a request was accepted, and warns of the first failure in a row. */
function watchFailures(warn: ExporterOptions["warn"]): (sent: Promise<void>) => Promise<boolean> {
  let isFailing = false;
  return async (sent) => {
    try {
      await sent;
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        warn(`sending to the OpenTelemetry collector failed: ${failureCode(error)}; check telemetry.otlpEndpoint`);
      isFailing = true;
    }
    return !isFailing;
  };
}

export interface Collector {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 5_000;

/** Posts JSON to a path of the collector; rejects if the answer is not 2xx. */
export async function sendToCollector({ endpoint, headers }: Collector, path: string, body: string): Promise<void> {
  const { address, authorization } = addressOf(endpoint, path);
  const response = await fetch(address, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...authorization, ...headers },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

/** Moves a user name and password from the URL to a header: `fetch` rejects a URL that contains them. */
function addressOf(endpoint: string, path: string) {
  const address = new URL(endpoint);
  const { username, password } = address;
  address.username = "";
  address.password = "";
  address.pathname = `${address.pathname.replace(/\/+$/, "")}${path}`;
  if (username === "") return { address, authorization: {} };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { address, authorization: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` } };
}
