import { LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import { makeImage, makeText, makeToolCall, makeUsage } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyReply } from "../testing/any-reply.ts";
import { collectReply, eventsOf, replyCollector } from "./collect.ts";

describe("collectReply", () => {
  it("undoes eventsOf", () => {
    fc.assert(
      fc.property(anyReply("anthropic"), (reply) => {
        expect(collectReply(eventsOf(reply))).toEqual(reply);
      }),
    );
    const odd = {
      id: "r",
      model: "m",
      blocks: [makeImage(), makeToolCall("a", { input: "free", signature: "c2ln" }), makeText("")],
      stopReason: "stop-sequence" as const,
      stopSequence: "END",
      usage: makeUsage(),
    };
    expect(collectReply(eventsOf(odd))).toEqual(odd);
  });

  it("sorts interleaved blocks by index", () => {
    const events: StreamEvent[] = [
      { type: "reply-start", id: "r", model: "m" },
      { type: "text-start", index: 1 },
      { type: "tool-call-start", index: 0, id: "a", name: "now" },
      { type: "ping" },
      { type: "text-delta", index: 1, text: "Hi" },
      { type: "tool-call-end", index: 0 },
      { type: "native", native: { wire: "w", value: {} } },
      { type: "text-end", index: 1 },
      { type: "text-delta", index: 9, text: "nobody's" },
      { type: "reply-end", stopReason: "end", usage: makeUsage() },
    ];
    expect(collectReply(events).blocks).toEqual([
      { type: "tool-call", id: "a", name: "now", input: {} },
      makeText("Hi"),
    ]);
  });

  it("throws the stream's error, or upstream.broken for a truncated stream", () => {
    const error = new LonghaulError("upstream.busy", "Overloaded");
    expect(() => collectReply([{ type: "error", error }])).toThrow(error);
    expect(() => replyCollector.end(replyCollector.start())).toThrow(
      expect.objectContaining({ code: "upstream.broken" }),
    );
  });
});
