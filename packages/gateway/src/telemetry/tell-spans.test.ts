import { makeCondensationEvent } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import type { Span } from "./otlp.ts";
import { tellSpans } from "./tell-spans.ts";

function open() {
  const spans: Span[] = [];
  return { spans, ...tellSpans((span) => void spans.push(span)) };
}

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

describe("tellSpans", () => {
  it("puts a condensation into its request's span, whichever ends first", () => {
    const { spans, finished, condensed } = open();
    condensed(makeCondensationEvent({ strategy: "first" }));
    expect(spans).toEqual([]);
    finished(makeFinished({}, { traceparent }));
    condensed(makeCondensationEvent({ strategy: "later" }));
    expect(spans.map(({ name }) => name)).toEqual(["chat opus", "condense first", "condense later"]);
    expect(new Set(spans.map(({ place }) => place.traceId))).toEqual(new Set([TRACE]));
    expect(spans.slice(1).map(({ place }) => place.parentSpanId)).toEqual(Array(2).fill(spans[0]?.place.spanId));
  });

  it("tells nothing of traces that the client does not want kept", () => {
    const { spans, finished, condensed } = open();
    finished(makeFinished({}, { traceparent: traceparent.replace(/01$/, "00") }));
    condensed(makeCondensationEvent());
    expect(spans).toEqual([]);
  });
});
