import { describe, expect, it } from "vitest";
import { anthropicDialect } from "../anthropic/api.ts";
import type { JsonReply, Reply, StreamEvent } from "../core/api.ts";
import { REPLY_FAULTS, rejectionFor } from "./fault-replies.ts";

const event = (data: object): StreamEvent => ({ event: "e", data: JSON.stringify(data) });
const events = [1, 2, 3, 4].map((n) => event({ n, usage: { tokens: n } }));
const stream: Reply = { kind: "stream", headers: {}, framing: "sse", events };
const plain: JsonReply = { kind: "json", status: 200, headers: {}, body: { a: 1, usage: { in: 3 } } };

function bend(name: keyof typeof REPLY_FAULTS, reply: Reply, value = ""): Reply {
  return REPLY_FAULTS[name].reply(reply, value, anthropicDialect);
}
function valuesOf(reply: Reply): unknown[] {
  return reply.kind === "stream"
    ? reply.events.map(({ data }) => (data === undefined ? undefined : JSON.parse(data)))
    : [reply.body];
}

it("returns an error with status 200", () => {
  expect(bend("error-in-200", plain)).toMatchObject({
    status: 200,
    body: { error: { message: "Internal server error" } },
  });
});

it("ends a stream with an error", () => {
  expect(valuesOf(bend("error-event", stream)).slice(1)).toMatchObject([
    { n: 2 },
    { error: { type: "overloaded_error" } },
  ]);
  expect(valuesOf(bend("error-event", stream, "500")).at(-1)).toMatchObject({ error: { type: "api_error" } });
});

it("omits the end, or the event lines", () => {
  expect(valuesOf(bend("no-end", stream))).toHaveLength(2);
  expect(bend("missing-event-lines", stream)).toMatchObject({ events: events.map(({ data }) => ({ data })) });
  expect(JSON.stringify(bend("missing-event-lines", stream))).not.toContain('"event":');
});

it("adds unknown events and comments", () => {
  expect(bend("unknown-events", stream)).toMatchObject({ events: { length: 8 } });
  expect(bend("comments", stream)).toMatchObject({ events: { length: 8, 0: { comment: "still here" } } });
});

it("swaps two events", () => {
  expect(valuesOf(bend("out-of-order", stream)).map((value) => (value as { n: number }).n)).toEqual([1, 3, 2, 4]);
});

it("splits data over lines, or breaks it", () => {
  expect(bend("multi-line-data", stream)).toMatchObject({ events: { 0: { data: expect.stringContaining("\n") } } });
  const broken = bend("malformed-data", stream);
  expect(() => valuesOf(broken)).toThrow(SyntaxError);
});

it("pads the first event", () => {
  const [first] = valuesOf(bend("huge-event", stream, "1000"));
  expect(first).toMatchObject({ n: 1, padding: "x".repeat(1_000) });
});

describe("usage", () => {
  it("is missing", () => {
    expect(valuesOf(bend("usage-missing", stream))[0]).toEqual({ n: 1 });
    expect(valuesOf(bend("usage-missing", plain))).toEqual([{ a: 1 }]);
  });

  it("lies", () => {
    expect(valuesOf(bend("usage-lying", stream))[1]).toEqual({ n: 2, usage: { tokens: 20 } });
    expect(valuesOf(bend("usage-lying", plain, "0"))).toEqual([{ a: 1, usage: { in: 0 } }]);
  });

  it("comes twice", () => {
    expect(valuesOf(bend("usage-twice", stream))).toHaveLength(8);
  });
});

it("breaks the arguments of calls in every format", () => {
  const calls: Reply = {
    ...stream,
    events: [
      event({ delta: { type: "input_json_delta", partial_json: '{"a"' } }),
      event({ choices: [{ delta: { tool_calls: [{ function: { arguments: "{}" } }] } }] }),
      event({ type: "response.function_call_arguments.delta", delta: "{}" }),
      event({ delta: { text: "untouched" } }),
    ],
  };
  expect(valuesOf(bend("bad-tool-json", calls))).toEqual([
    { delta: { type: "input_json_delta", partial_json: '{"a"}{' } },
    { choices: [{ delta: { tool_calls: [{ function: { arguments: "{}}{" } }] } }] },
    { type: "response.function_call_arguments.delta", delta: "{}}{" },
    { delta: { text: "untouched" } },
  ]);
});

it("changes Google's retry delay", () => {
  const refused: Reply = { ...plain, body: { error: { details: [{ retryDelay: "1s" }] } } };
  expect(bend("retry-delay", refused, "34.4s")).toMatchObject({
    body: { error: { details: [{ retryDelay: "34.4s" }] } },
  });
});

it("leaves a plain reply unchanged if only streams have the broken part", () => {
  expect(bend("no-end", plain)).toBe(plain);
});

it("has a message for every status", () => {
  expect([rejectionFor(429).message, rejectionFor(599).message]).toEqual([
    "This request would exceed your account's rate limit. Please try again later.",
    "Internal server error",
  ]);
});
