import type { StreamEvent } from "@longhaul/conversation/advanced";
import { makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";
import { collectReply } from "../reply/collect.ts";
import { sseReader } from "../reply/sse.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

const EVENTS: readonly StreamEvent[] = [
  { type: "reply-start", id: "r", model: "m" },
  { type: "ping" },
  { type: "thinking-start", index: 0, vendor: "anthropic" },
  { type: "ping" },
  { type: "thinking-delta", index: 0, text: "hm" },
  { type: "thinking-end", index: 0 },
  { type: "ping" },
  { type: "reply-end", stopReason: "end", usage: makeUsage() },
];

// Claude Code aborts a stream that is silent for 300 s. A ping in the wrong place must not break other clients.
describe("pings", () => {
  it("reach Anthropic's clients at any position, even inside a block", () => {
    const written = runStream(codecOf("anthropic-messages").encodeStream, EVENTS);
    expect(written.filter(({ event }) => event === "ping")).toHaveLength(3);
    expect(
      runStream(codecOf("anthropic-messages").decodeStream, written).filter(({ type }) => type === "ping"),
    ).toHaveLength(3);
  });

  it.each(FORMATS)("do not change what a client of $codec.id reads", ({ codec }) => {
    const without = EVENTS.filter(({ type }) => type !== "ping");
    const read = (events: readonly StreamEvent[]) =>
      collectReply(runStream(codec.decodeStream, runStream(codec.encodeStream, events)));
    expect(read(EVENTS)).toEqual(read(without));
  });

  it("are skipped if servers send them as comments", () => {
    const chunk = { id: "r", model: "m", choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }] };
    const lines = `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\ndata: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
    const [, events] = sseReader.step(sseReader.start(), new TextEncoder().encode(lines));
    expect(collectReply(runStream(codecOf("openai-chat").decodeStream, events)).blocks).toEqual([
      { type: "text", text: "Hi" },
    ]);
  });
});
