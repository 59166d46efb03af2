import { Rejection, type Reply, type StreamEvent } from "../core/api.ts";
import { isObject, type JsonObject, parseJson } from "../core/json.ts";
import type { FaultKind } from "./fault-bytes.ts";

const MEGABYTE = 1024 * 1024;
const DEFAULT_HUGE_BYTES = 10 * MEGABYTE;
const DEFAULT_LIE = 10;

export const REPLY_FAULTS = {
  "error-in-200": {
    reply: (_reply, _value, dialect) => ({
      ...dialect.error(new Rejection(500, "Internal server error"), "req_fault"),
      status: 200,
    }),
  },
  "error-event": {
    reply: (reply, value, dialect) =>
      withEvents(reply, (events) => [
        ...firstHalf(events),
        ...dialect.streamError(rejectionFor(Number(value) || OVERLOADED)),
      ]),
  },
  "no-end": { reply: (reply) => withEvents(reply, firstHalf) },
  "missing-event-lines": {
    reply: (reply) => withEvents(reply, (events) => events.map(({ event: _, ...rest }) => rest)),
  },
  "unknown-events": {
    reply: (reply) => withEvents(reply, (events) => events.flatMap((event) => [event, UNKNOWN_EVENT])),
  },
  "out-of-order": { reply: (reply) => withEvents(reply, swapMiddle) },
  comments: {
    reply: (reply) => withEvents(reply, (events) => events.flatMap((event) => [{ comment: "still here" }, event])),
  },
  "multi-line-data": { reply: (reply) => withData(reply, (value) => JSON.stringify(value, null, 1)) },
  "malformed-data": { reply: (reply) => withEvents(reply, breakMiddle) },
  "huge-event": {
    reply: (reply, value) => withEvents(reply, (events) => padFirst(events, Number(value) || DEFAULT_HUGE_BYTES)),
  },
  "usage-missing": { reply: (reply) => withValues(reply, dropUsage) },
  "usage-lying": {
    reply: (reply, value) => withValues(reply, (body) => scaleUsage(body, Number(value || DEFAULT_LIE), false)),
  },
  "usage-twice": {
    reply: (reply) =>
      withEvents(reply, (events) => events.flatMap((event) => (hasUsage(event) ? [event, event] : [event]))),
  },
  "bad-tool-json": { reply: (reply) => withValues(reply, breakArguments) },
  "retry-delay": { reply: (reply, value) => withValues(reply, (body) => setField(body, "retryDelay", value)) },
} as const satisfies Readonly<Record<string, FaultKind>>;

const OVERLOADED = 529;
const MESSAGES: Readonly<Record<number, string>> = {
  400: "Invalid request",
  401: "invalid x-api-key",
  403: "Your API key does not have permission to use the specified resource.",
  404: "Not found",
  408: "Request timeout",
  409: "Conflict",
  413: "Request exceeds the maximum size",
  422: "Unprocessable request",
  429: "This request would exceed your account's rate limit. Please try again later.",
  500: "Internal server error",
  502: "Bad gateway",
  503: "Service unavailable",
  504: "Gateway timeout",
  529: "Overloaded",
};

/** A rejection unrelated to the request. */
export function rejectionFor(status: number): Rejection {
  return new Rejection(status, MESSAGES[status] ?? "Internal server error");
}

const UNKNOWN_EVENT: StreamEvent = { event: "brand_new_event", data: '{"type":"brand_new_event","note":"ignore me"}' };

function withEvents(reply: Reply, change: (events: readonly StreamEvent[]) => readonly StreamEvent[]): Reply {
  return reply.kind === "stream" ? { ...reply, events: change(reply.events) } : reply;
}

function withData(reply: Reply, write: (value: unknown) => string): Reply {
  return withEvents(reply, (events) =>
    events.map((event) => {
      const value = event.data === undefined ? undefined : parseJson(event.data);
      return value === undefined ? event : { ...event, data: write(value) };
    }),
  );
}

function withValues(reply: Reply, change: (value: unknown) => unknown): Reply {
  if (reply.kind === "json") return { ...reply, body: change(reply.body) };
  return withData(reply, (value) => JSON.stringify(change(value)));
}

function firstHalf(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.slice(0, Math.ceil(events.length / 2));
}

function swapMiddle(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const at = Math.floor(events.length / 2);
  return [...events.slice(0, at - 1), ...events.slice(at - 1, at + 1).reverse(), ...events.slice(at + 1)];
}

function breakMiddle(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const middle = Math.floor(events.length / 2);
  return events.map((event, at) => (at === middle ? { ...event, data: event.data?.slice(0, -3) ?? "{" } : event));
}

function padFirst(events: readonly StreamEvent[], bytes: number): readonly StreamEvent[] {
  return events.map((event, at) => {
    const value = at === 0 ? parseJson(event.data ?? "") : undefined;
    return isObject(value) ? { ...event, data: JSON.stringify({ ...value, padding: "x".repeat(bytes) }) } : event;
  });
}

const USAGE = ["usage", "usageMetadata", "amazon-bedrock-invocationMetrics"];

/** Rebuilds a JSON value field by field; returning `undefined` removes a field. */
function mapFields(value: unknown, change: (name: string, field: unknown) => { keep: unknown } | undefined): unknown {
  if (Array.isArray(value)) return value.map((element) => mapFields(element, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, field]) => {
    const changed = change(name, field);
    return changed === undefined
      ? []
      : [[name, changed.keep === field ? mapFields(field, change) : changed.keep] as const];
  });
  return Object.fromEntries(entries);
}

function dropUsage(value: unknown): unknown {
  return mapFields(value, (name, field) => (USAGE.includes(name) ? undefined : { keep: field }));
}

function scaleUsage(value: unknown, factor: number, isUsage: boolean): unknown {
  if (typeof value === "number" && isUsage) return Math.round(value * factor);
  if (Array.isArray(value)) return value.map((element) => scaleUsage(element, factor, isUsage));
  if (!isObject(value)) return value;
  const scaled = Object.entries(value).map(([name, field]) => [
    name,
    scaleUsage(field, factor, isUsage || USAGE.includes(name)),
  ]);
  return Object.fromEntries(scaled);
}

function hasUsage({ data = "" }: StreamEvent): boolean {
  return USAGE.some((name) => data.includes(`"${name}":{`));
}

function setField(value: unknown, changed: string, to: string): unknown {
  return mapFields(value, (name, field) => ({ keep: name === changed ? to : field }));
}

const ARGUMENTS = ["partial_json", "arguments"];

function breakArguments(value: unknown): unknown {
  const broken = mapFields(value, (name, field) => {
    const isArguments = ARGUMENTS.includes(name) && typeof field === "string" && field !== "";
    return { keep: isArguments ? `${field}}{` : field };
  });
  return isArgumentDelta(broken) ? { ...broken, delta: `${String(broken.delta)}}{` } : broken;
}

/** The Responses API sends argument deltas in the same field as text deltas. */
function isArgumentDelta(value: unknown): value is JsonObject {
  return isObject(value) && value.type === "response.function_call_arguments.delta";
}
