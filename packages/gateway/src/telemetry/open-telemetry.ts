import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Config } from "@longhaul/settings";
import { type Observer, tellAll } from "../events/observer.ts";
import { countEvents } from "./count-events.ts";
import { type Exporter, openExporter } from "./exporter.ts";
import type { MetricName } from "./metrics.ts";
import { spellMetrics, spellSpans } from "./otlp.ts";
import { spellPrometheus } from "./prometheus.ts";
import { makeRegistry, type ReadGauge, type Registry } from "./registry.ts";
import { sendToCollector } from "./send-to-collector.ts";
import { tellSpans } from "./tell-spans.ts";

/** All that is told to monitoring. */
export interface Telemetry {
  readonly observer: Observer;
  /** The figures as Prometheus reads them. */
  prometheus(): string;
  close(): Promise<void>;
}

/** What telemetry takes from outside. */
export interface TelemetryOptions {
  readonly config: Config["telemetry"];
  /** Figures that somebody else keeps. */
  readonly gauges: Readonly<Partial<Record<MetricName, ReadGauge>>>;
  /** Which worker tells them. @default there is one process alone */
  readonly worker?: string | undefined;
  readonly warn: (what: string) => void;
  readonly nowMs: () => number;
}

/** Opens telemetry; a collector is told only where the configuration names one. */
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
      const figures = LOOP_QUANTILES.map((share) => [[`${share}`], lateness(delay.percentile(share * 100))] as const);
      delay.reset();
      return figures;
    },
  });
  exporter = exporterFor(registry, options);
  const observers = [countEvents(registry), ...(exporter === undefined ? [] : [tellSpans(exporter.span)])];
  return {
    observer: tellAll(observers),
    prometheus: () => spellPrometheus(registry.collect(), options.worker),
    close: async () => {
      delay.disable();
      await exporter?.close();
    },
  };
}

const LOOP_RESOLUTION_MS = 20;
const LOOP_QUANTILES = [0.5, 0.99];

/** Node measures how long its timer took, which is never less than its resolution. */
function lateness(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1_000);
}

function exporterFor(registry: Registry, { config, warn, nowMs }: TelemetryOptions): Exporter | undefined {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, serviceName, metricsSeconds } = config;
  if (endpoint === undefined) return undefined;
  const resource = { serviceName, instance: randomUUID() };
  const startMs = nowMs();
  return openExporter({
    send: (path, body) => sendToCollector({ endpoint, headers }, path, body),
    spellSpans: (spans) => spellSpans(spans, resource),
    spellMetrics: () => spellMetrics(registry.collect(), resource, { startMs, nowMs: nowMs() }),
    metricsMs: metricsSeconds * 1_000,
    warn,
  });
}
