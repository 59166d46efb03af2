import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openExporter } from "./exporter.ts";
import type { Span } from "./otlp.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeSpan(name: string): Span {
  const place = { traceId: "t", spanId: "s", isSampled: true };
  return { place, name, kind: "client", startMs: 0, endMs: 1, attributes: {}, isError: false };
}

function open(take: () => Promise<void> = () => Promise.resolve()) {
  const sent: [string, string][] = [];
  const warnings: string[] = [];
  const exporter = openExporter({
    send: async (path, body) => {
      sent.push([path, body]);
      await take();
    },
    spellSpans: (spans) => spans.map(({ name }) => name).join(),
    spellMetrics: () => "metrics",
    metricsMs: 60_000,
    warn: (what) => void warnings.push(what),
  });
  return { exporter, sent, warnings };
}

describe("openExporter", () => {
  it("sends spans together, and metrics every minute", async () => {
    const { exporter, sent } = open();
    exporter.span(makeSpan("a"));
    exporter.span(makeSpan("b"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([
      ["/v1/traces", "a,b"],
      ["/v1/metrics", "metrics"],
    ]);
    await exporter.close();
  });

  it("sends what is left when it is closed", async () => {
    const { exporter, sent } = open();
    for (let index = 0; index < 201; index++) exporter.span(makeSpan("s"));
    await exporter.close();
    expect(sent.map(([path, body]) => [path, body.split(",").length])).toEqual([
      ["/v1/traces", 200],
      ["/v1/traces", 1],
      ["/v1/metrics", 1],
    ]);
  });

  it("loses what is not taken, and says so once", async () => {
    const cause = Object.assign(new Error("connect http://me:hush@host"), { code: "ECONNREFUSED" });
    const { exporter, warnings } = open(() => Promise.reject(new TypeError("fetch failed", { cause })));
    exporter.span(makeSpan("a"));
    await vi.advanceTimersByTimeAsync(2_000);
    exporter.span(makeSpan("b"));
    await exporter.close();
    expect(exporter.dropped()).toBe(2);
    expect(warnings).toEqual(["the OpenTelemetry collector does not take what it is sent: ECONNREFUSED"]);
  });

  it("keeps no more than some thousand spans while the collector hangs", async () => {
    const { exporter, sent } = open(() => new Promise(() => {}));
    exporter.span(makeSpan("a"));
    await vi.advanceTimersByTimeAsync(2_000);
    for (let index = 0; index < 2_010; index++) exporter.span(makeSpan("b"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([exporter.dropped(), sent.length]).toEqual([10, 1]);
  });
});
