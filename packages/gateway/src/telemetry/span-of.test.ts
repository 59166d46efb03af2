import { makeCondensationEvent } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { condensationSpan, requestSpan } from "./span-of.ts";

const place = { traceId: "t", spanId: "s", isSampled: true };

describe("requestSpan", () => {
  it("tells a request in OpenTelemetry's words", () => {
    const span = requestSpan(makeFinished({ atMs: 1_000 }), place);
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

  it("says that a conversation was sent smaller, and never that it was not", () => {
    const { attributes } = requestSpan(makeFinished({ strategy: "native" }), place);
    expect(attributes["gen_ai.conversation.compacted"]).toBe(true);
  });

  it("says what went wrong", () => {
    const refused = requestSpan(makeFinished({ status: 429, errorCode: "upstream.busy" }), place);
    expect([refused.isError, refused.attributes["error.type"]]).toEqual([true, "upstream.busy"]);
    const passedOn = requestSpan(makeFinished({ status: 404, action: "pass", model: "" }), place);
    expect([passedOn.name, passedOn.attributes["error.type"]]).toEqual(["pass", "404"]);
  });
});

describe("condensationSpan", () => {
  it("tells what was made of a conversation", () => {
    const span = condensationSpan(makeCondensationEvent({ atMs: 9_000 }), place);
    expect(span).toMatchObject({ name: "condense native", kind: "internal", startMs: 4_999.5, endMs: 9_000 });
    expect(span.attributes).toMatchObject({ "longhaul.original.tokens": 180_000, "longhaul.sent.tokens": 21_300 });
  });
});
