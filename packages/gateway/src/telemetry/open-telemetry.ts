import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Config } from "@longhaul/settings";
import { notifyAll, type Observer } from "../events/observer.ts";
import { countEvents } from "./count-events.ts";
import { type Exporter, openExporter, sendToCollector } from "./exporter.ts";
import type { MetricName } from "./metrics.ts";
import { encodeMetrics, encodeSpans } from "./otlp.ts";
import { writePrometheus } from "./prometheus.ts";
import { makeRegistry, type ReadGauge, type Registry } from "./registry.ts";
import { openSpans } from "./spans.ts";

/** Metrics and spans of one gateway. */
export interface Telemetry {
  readonly observer: Observer;
  /** Returns the metrics in Prometheus' text format. */
  prometheus(): string;
  close(): Promise<void>;
}

export interface TelemetryOptions {
  readonly config: Config["telemetry"];
  /** Values that other modules keep, read when metrics are collected. */
  readonly gauges: Readonly<Partial<Record<MetricName, ReadGauge>>>;
  /** Label of this worker. @default none: there is one process */
  readonly worker?: string | undefined;
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** Opens the metrics, and the export to a collector if the configuration names one. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  let exporter: Exporter | undefined;
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  const registry = makeRegistry({
    ...options.gauges,
    spansDropped: () => [[[], exporter?.dropped() ?? 0]],
    heap: () => [[[], process.memoryUsage().heapUsed]],
    resident: () => [[[], process.memoryUsage.rss()]],
    loopDelay: () => {
      const delays = LOOP_QUANTILES.map(
        (share) => [[`${share}`], delaySeconds(delay.percentile(share * 100))] as const,
      );
      delay.reset();
      return delays;
    },
  });
  exporter = exporterFor(registry, options);
  const observers = [countEvents(registry), ...(exporter === undefined ? [] : [openSpans(exporter.span)])];
  return {
    observer: notifyAll(observers),
    prometheus: () => writePrometheus(registry.collect(), options.worker),
    close: async () => {
      delay.disable();
      await exporter?.close();
    },
  };
}

const LOOP_RESOLUTION_MS = 20;
const LOOP_QUANTILES = [0.5, 0.99];

/** Node reports the full duration of its timer, which is never less than its resolution. */
function delaySeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1_000);
}

function exporterFor(registry: Registry, { config, warn, nowMs }: TelemetryOptions): Exporter | undefined {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, serviceName, metricsSeconds } = config;
  if (endpoint === undefined) return undefined;
  const resource = { serviceName, instance: randomUUID() };
  const startMs = nowMs();
  return openExporter({
    send: (path, body) => sendToCollector({ endpoint, headers }, path, body),
    encodeSpans: (spans) => encodeSpans(spans, resource),
    encodeMetrics: () => encodeMetrics(registry.collect(), resource, { startMs, nowMs: nowMs() }),
    metricsMs: metricsSeconds * 1_000,
    warn,
  });
}
