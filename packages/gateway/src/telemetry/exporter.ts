import type { Span } from "./otlp.ts";

/** Sends spans to a collector, later and many at a time. */
export interface Exporter {
  /** Never waits: a span that finds no room is dropped. */
  span(span: Span): void;
  /** How many spans the collector did not get. */
  dropped(): number;
  /** Sends what is waiting, as far as the collector takes it. */
  close(): Promise<void>;
}

/** What an exporter takes from outside. */
export interface ExporterOptions {
  /** Sends a body to one of the collector's paths; rejects where it was not taken. */
  readonly send: (path: "/v1/traces" | "/v1/metrics", body: string) => Promise<void>;
  readonly spellSpans: (spans: readonly Span[]) => string;
  readonly spellMetrics: () => string;
  readonly metricsMs: number;
  /** Told once for each time that the collector stops taking what it is sent. */
  readonly warn: (what: string) => void;
}

const FLUSH_MS = 2_000;
const BATCH_SPANS = 200;
const MAX_WAITING = 2_000;

/** Opens an exporter. One request is under way at a time; spans that are not taken are lost, metrics are told again the next time. */
export function openExporter(options: ExporterOptions): Exporter {
  const { send, spellSpans, spellMetrics, metricsMs, warn } = options;
  const waiting: Span[] = [];
  const isTaken = makeIsTaken(warn);
  let dropped = 0;
  let sending = Promise.resolve();
  const flush = () => {
    sending = sending.then(async () => {
      for (let batch = waiting.splice(0, BATCH_SPANS); batch.length > 0; batch = waiting.splice(0, BATCH_SPANS)) {
        if (!(await isTaken(send("/v1/traces", spellSpans(batch))))) dropped += batch.length;
      }
    });
    return sending;
  };
  const tellMetrics = () => {
    sending = sending.then(async () => void (await isTaken(send("/v1/metrics", spellMetrics()))));
    return sending;
  };
  const timers = [setInterval(() => void flush(), FLUSH_MS), setInterval(() => void tellMetrics(), metricsMs)];
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
      await tellMetrics();
    },
  };
}

/** Whether what was sent was taken; tells of the first that was not. */
function makeIsTaken(warn: ExporterOptions["warn"]): (sent: Promise<void>) => Promise<boolean> {
  let isFailing = false;
  return async (sent) => {
    try {
      await sent;
      isFailing = false;
    } catch (error) {
      if (!isFailing) warn(`the OpenTelemetry collector does not take what it is sent: ${codeOf(error)}`);
      isFailing = true;
    }
    return !isFailing;
  };
}

/** Messages of errors may hold the collector's address, and that a password. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : error.name === "Error" ? error.message : error.name;
}
