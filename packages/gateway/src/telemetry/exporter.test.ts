import { type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openExporter, sendToCollector } from "./exporter.ts";
import type { Span } from "./otlp.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function makeSpan(name: string): Span {
  const context = { traceId: "t", spanId: "s", isSampled: true };
  return { context, name, kind: "client", startMs: 0, endMs: 1, attributes: {}, isError: false };
}

function open(take: () => Promise<void> = () => Promise.resolve()) {
  const sent: [string, string][] = [];
  const warnings: string[] = [];
  const exporter = openExporter({
    send: async (path, body) => {
      sent.push([path, body]);
      await take();
    },
    encodeSpans: (spans) => spans.map(({ name }) => name).join(),
    encodeMetrics: () => "metrics",
    metricsMs: 60_000,
    warn: (what) => void warnings.push(what),
  });
  return { exporter, sent, warnings };
}

describe("openExporter", () => {
  it("sends spans in batches, and metrics every minute", async () => {
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

  it("sends the remaining spans on close", async () => {
    const { exporter, sent } = open();
    for (let index = 0; index < 201; index++) exporter.span(makeSpan("s"));
    await exporter.close();
    expect(sent.map(([path, body]) => [path, body.split(",").length])).toEqual([
      ["/v1/traces", 200],
      ["/v1/traces", 1],
      ["/v1/metrics", 1],
    ]);
  });

  it("drops spans that the collector rejects, and warns once", async () => {
    const cause = Object.assign(new Error("connect http://me:hush@host"), { code: "ECONNREFUSED" });
    const { exporter, warnings } = open(() => Promise.reject(new TypeError("fetch failed", { cause })));
    exporter.span(makeSpan("a"));
    await vi.advanceTimersByTimeAsync(2_000);
    exporter.span(makeSpan("b"));
    await exporter.close();
    expect(exporter.dropped()).toBe(2);
    expect(warnings).toEqual([
      "sending to the OpenTelemetry collector failed: ECONNREFUSED; check telemetry.otlpEndpoint",
    ]);
  });

  it("queues at most 2,000 spans while the collector hangs", async () => {
    const { exporter, sent } = open(() => new Promise(() => {}));
    exporter.span(makeSpan("a"));
    await vi.advanceTimersByTimeAsync(2_000);
    for (let index = 0; index < 2_010; index++) exporter.span(makeSpan("b"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([exporter.dropped(), sent.length]).toEqual([10, 1]);
  });
});

describe("sendToCollector", () => {
  async function openCollector(handler: Handler = json({})) {
    vi.useRealTimers();
    const collector = await openUpstream(handler);
    onTestFinished(collector.close);
    return collector;
  }

  it("posts JSON with the configured headers, at a path below the endpoint", async () => {
    const { url, seen } = await openCollector();
    await sendToCollector({ endpoint: `${url}/otlp/`, headers: { "x-team": "a" } }, "/v1/traces", "{}");
    expect(seen).toMatchObject([
      {
        method: "POST",
        path: "/otlp/v1/traces",
        body: "{}",
        headers: { "content-type": "application/json", "x-team": "a" },
      },
    ]);
  });

  it("sends a password in the endpoint as a header", async () => {
    const { url, seen } = await openCollector();
    await sendToCollector({ endpoint: url.replace("//", "//me:p%40ss@"), headers: {} }, "/v1/metrics", "{}");
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  });

  it("rejects with the status alone when the collector refuses", async () => {
    const { url } = await openCollector(json({ message: "hush" }, 401));
    await expect(sendToCollector({ endpoint: url, headers: {} }, "/v1/traces", "{}")).rejects.toThrow("status 401");
  });
});
