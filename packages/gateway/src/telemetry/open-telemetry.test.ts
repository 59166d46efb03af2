import { json, openUpstream } from "@longhaul/fit/testing";
import { parseConfig } from "@longhaul/settings";
import { afterEach, describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { openTelemetry } from "./open-telemetry.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function open(config: object = {}) {
  const warnings: string[] = [];
  const gauges = { eventsWaiting: () => [[[], 7]] as const };
  const warn = (what: string) => void warnings.push(what);
  const telemetry = openTelemetry({
    config: parseConfig({ telemetry: config }, {}).telemetry,
    gauges,
    warn,
    nowMs: () => 5_000,
  });
  closers.push(telemetry.close);
  return { telemetry, warnings };
}

describe("openTelemetry", () => {
  it("reports its own metrics and the given gauges", () => {
    const { telemetry } = open();
    telemetry.observer.finished(makeFinished());
    const text = telemetry.prometheus();
    expect(text).toContain("\nlonghaul_events_waiting 7\n");
    expect(text).toMatch(/\nlonghaul_heap_bytes \d{6,}\n/);
    expect(text).toMatch(/\nlonghaul_resident_bytes \d{6,}\n/);
    expect(text).toMatch(/\nlonghaul_event_loop_delay_seconds\{quantile="0.99"\} [\d.e-]+\n/);
    expect(text).toContain('status="200"} 1\n');
    expect(text).toContain("\nlonghaul_spans_dropped 0\n");
  });

  it("sends spans and metrics to the configured collector", async () => {
    const collector = await openUpstream(json({}));
    closers.push(collector.close);
    const { telemetry, warnings } = open({
      otlpEndpoint: collector.url,
      otlpHeaders: { "x-team": "a" },
      serviceName: "edge",
    });
    telemetry.observer.finished(makeFinished());
    await telemetry.close();
    expect(warnings).toEqual([]);
    expect(collector.seen.map(({ path, headers }) => [path, headers["x-team"]])).toEqual([
      ["/v1/traces", "a"],
      ["/v1/metrics", "a"],
    ]);
    const [traces, metrics] = collector.seen.map(({ body }) => JSON.parse(body));
    expect(traces.resourceSpans[0].scopeSpans[0].spans).toMatchObject([{ name: "chat opus" }]);
    const names = metrics.resourceMetrics[0].scopeMetrics[0].metrics.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(["gen_ai.client.operation.duration", "gen_ai.client.token.usage"]));
  });
});
