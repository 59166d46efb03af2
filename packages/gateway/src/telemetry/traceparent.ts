import { randomBytes } from "node:crypto";

/** Where a span stands in a trace. */
export interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  /** The client's own span. */
  readonly parentSpanId?: string;
  /** Whether the client wants the trace kept. */
  readonly isSampled: boolean;
}

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})/;

/** A new span: in the client's trace where its `traceparent` header names one, else in a trace of its own. */
export function placeSpan(traceparent: string | undefined): SpanPlace {
  const { trace, parent, flags } = TRACEPARENT.exec(traceparent?.trim() ?? "")?.groups ?? {};
  const spanId = randomId(8);
  if (trace === undefined || parent === undefined) return { traceId: randomId(16), spanId, isSampled: true };
  return { traceId: trace, spanId, parentSpanId: parent, isSampled: (Number.parseInt(flags ?? "", 16) & 1) === 1 };
}

/** A span inside another one. */
export function placeInside({ traceId, spanId, isSampled }: SpanPlace): SpanPlace {
  return { traceId, spanId: randomId(8), parentSpanId: spanId, isSampled };
}

function randomId(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
