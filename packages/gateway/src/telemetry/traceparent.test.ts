import { describe, expect, it } from "vitest";
import { placeInside, placeSpan } from "./traceparent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

describe("placeSpan", () => {
  it("goes on with the client's trace, and keeps what the client wants kept", () => {
    expect(placeSpan(`00-${TRACE}-${PARENT}-01`)).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      isSampled: true,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(placeSpan(`00-${TRACE}-${PARENT}-00`).isSampled).toBe(false);
    expect(placeSpan(`cc-${TRACE}-${PARENT}-01-more`).traceId).toBe(TRACE);
  });

  it.each([
    undefined,
    "",
    "00-short",
    `ff-${TRACE}-${PARENT}-01`,
    `00-${"0".repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ])("begins a trace of its own for %j", (header) => {
    const place = placeSpan(header);
    expect(place).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      isSampled: true,
    });
    expect(place.traceId).not.toBe(placeSpan(header).traceId);
  });
});

describe("placeInside", () => {
  it("is a child in the same trace", () => {
    const outer = placeSpan(undefined);
    const inner = placeInside(outer);
    expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId, isSampled: true });
    expect(inner.spanId).not.toBe(outer.spanId);
  });
});
