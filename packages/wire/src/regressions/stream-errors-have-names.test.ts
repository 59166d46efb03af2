import { LonghaulError, type StreamEvent } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { codecNamed, codecOf } from "../codecs.ts";
import { writeSse } from "../reply/sse.ts";
import { runStream } from "../testing/stream.ts";

const FAILING: readonly StreamEvent[] = [
  { type: "reply-start", id: "r", model: "m" },
  { type: "error", error: new LonghaulError("upstream.busy", "Overloaded", { status: 529 }) },
];

// Anthropic's SDK skips events without a name, so it never saw an error without one.
describe("an error inside a stream", () => {
  it("has an event name for Anthropic's clients", () => {
    const bytes = runStream(codecOf("anthropic-messages").encodeStream, FAILING).map(writeSse).at(-1);
    expect(bytes).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    );
  });

  it("is an event for clients of Responses, and also fails the response", () => {
    const events = runStream(codecOf("openai-responses").encodeStream, FAILING);
    expect(events.slice(-2).map(({ event }) => event)).toEqual(["error", "response.failed"]);
  });

  it("is a chunk with an error for clients of chat completions and Gemini", () => {
    for (const wire of ["openai-chat", "gemini"]) {
      const last = runStream(codecNamed(wire).encodeStream, FAILING).at(-1);
      expect(JSON.parse(last?.data ?? "")).toMatchObject({ error: { message: "Overloaded" } });
    }
  });
});

describe("every event for Anthropic's clients", () => {
  it("has a name", () => {
    const events: StreamEvent[] = [
      ...FAILING.slice(0, 1),
      { type: "ping" },
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "Hi" },
    ];
    const written = runStream(codecOf("anthropic-messages").encodeStream, events);
    expect(written.every(({ event, data }) => event === JSON.parse(data).type)).toBe(true);
  });
});
