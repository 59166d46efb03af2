import { makeCondensationEvent } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import type { Span } from "./otlp.ts";
import { childSpan, condensationSpan, newSpan, openSpans, operationName, requestSpan } from "./spans.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const traceparent = `00-${TRACE}-${PARENT}-01`;
const context = { traceId: "t", spanId: "s", isSampled: true };

describe("openSpans", () => {
  function open() {
    const spans: Span[] = [];
    return { spans, ...openSpans((span) => void spans.push(span)) };
  }

  it("nests a condensation in its request's span, whichever ends first", () => {
    const { spans, finished, condensed } = open();
    condensed(makeCondensationEvent({ strategy: "first" }));
    expect(spans).toEqual([]);
    finished(makeFinished({}, { traceparent }));
    condensed(makeCondensationEvent({ strategy: "later" }));
    expect(spans.map(({ name }) => name)).toEqual(["chat opus", "condense first", "condense later"]);
    expect(new Set(spans.map((span) => span.context.traceId))).toEqual(new Set([TRACE]));
    expect(spans.slice(1).map((span) => span.context.parentSpanId)).toEqual(Array(2).fill(spans[0]?.context.spanId));
  });

  it("sends no spans for a trace that the client does not sample", () => {
    const { spans, finished, condensed } = open();
    finished(makeFinished({}, { traceparent: traceparent.replace(/01$/, "00") }));
    condensed(makeCondensationEvent());
    expect(spans).toEqual([]);
  });
});

describe("requestSpan", () => {
  it("follows OpenTelemetry's conventions", () => {
    const span = requestSpan(makeFinished({ atMs: 1_000 }), context);
    expect(span).toMatchObject({ name: "chat opus", kind: "client", startMs: 1_000, endMs: 3_150.5 });
    expect(span.isError).toBe(false);
    expect(span.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "opus",
      "gen_ai.usage.input_tokens": 9_412,
      "gen_ai.usage.cache_read.input_tokens": 9_000,
      "gen_ai.usage.cache_creation.input_tokens": 400,
      "gen_ai.usage.output_tokens": 350,
      "gen_ai.usage.reasoning.output_tokens": 120,
      "gen_ai.conversation.id": "session",
      "longhaul.attempts": 1,
      "longhaul.key.id": "key",
    });
    expect(span.attributes).not.toHaveProperty("error.type");
    expect(span.attributes).not.toHaveProperty("longhaul.strategy");
    expect(Object.keys(span.attributes)).not.toContain("gen_ai.conversation.compacted");
  });

  it("marks a condensed conversation as compacted", () => {
    const { attributes } = requestSpan(makeFinished({ strategy: "native" }), context);
    expect(attributes["gen_ai.conversation.compacted"]).toBe(true);
  });

  it("names the error code, or the status if there is no code", () => {
    const refused = requestSpan(makeFinished({ status: 429, errorCode: "upstream.busy" }), context);
    expect([refused.isError, refused.attributes["error.type"]]).toEqual([true, "upstream.busy"]);
    const passedOn = requestSpan(makeFinished({ status: 404, action: "pass", model: "" }), context);
    expect([passedOn.name, passedOn.attributes["error.type"]]).toEqual(["pass", "404"]);
  });
});

it("gives a condensation span its duration and token counts", () => {
  const span = condensationSpan(makeCondensationEvent({ atMs: 9_000 }), context);
  expect(span).toMatchObject({ name: "condense native", kind: "internal", startMs: 4_999.5, endMs: 9_000 });
  expect(span.attributes).toMatchObject({ "longhaul.original.tokens": 180_000, "longhaul.sent.tokens": 21_300 });
});

it.each([
  ["anthropic-messages", "generate", "chat"],
  ["gemini", "generate", "generate_content"],
  ["gemini", "count-tokens", "count-tokens"],
])("names the operation of %s %s %s", (wire, action, name) => {
  expect(operationName({ wire, action })).toBe(name);
});

describe("newSpan", () => {
  it("continues the client's trace with its sampling flag", () => {
    expect(newSpan(traceparent)).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      isSampled: true,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(newSpan(`00-${TRACE}-${PARENT}-00`).isSampled).toBe(false);
    expect(newSpan(`cc-${TRACE}-${PARENT}-01-more`).traceId).toBe(TRACE);
  });

  it.each([
    undefined,
    "",
    "00-short",
    `ff-${TRACE}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ])("starts a new trace for the header %j", (header) => {
    const started = newSpan(header);
    expect(started).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      isSampled: true,
    });
    expect(started.traceId).not.toBe(newSpan(header).traceId);
  });
});

it("starts a child span in the parent's trace", () => {
  const outer = newSpan(undefined);
  const inner = childSpan(outer);
  expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId, isSampled: true });
  expect(inner.spanId).not.toBe(outer.spanId);
});
