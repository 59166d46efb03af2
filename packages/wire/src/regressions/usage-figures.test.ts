import { promptTokens, type StreamEvent, type Usage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";
import { collectReply } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

// 0/0 at the start of Anthropic's streams, figures counted twice, cached tokens added or subtracted wrongly, reasoning lost.
const USAGE: Usage = {
  inputTokens: 100,
  cacheReadTokens: 4_000,
  cacheWriteTokens: 0,
  outputTokens: 70,
  reasoningTokens: 30,
};

const EVENTS: readonly StreamEvent[] = [
  { type: "reply-start", id: "r", model: "m" },
  { type: "text-start", index: 0 },
  { type: "text-delta", index: 0, text: "Hi" },
  { type: "text-end", index: 0 },
  { type: "reply-end", stopReason: "end", usage: USAGE },
];

describe.each(FORMATS)("$codec.id", ({ codec }) => {
  it("tells all figures at the end of a stream, each counted once", () => {
    expect(collectReply(runStream(codec.decodeStream, runStream(codec.encodeStream, EVENTS))).usage).toEqual(USAGE);
  });

  it("keeps what was read from the cache apart from the rest of the prompt", () => {
    const reply = { id: "r", model: "m", blocks: [], stopReason: "end" as const, usage: USAGE };
    const { usage } = codec.decodeReply(JSON.parse(JSON.stringify(codec.encodeReply(reply))));
    expect([usage.inputTokens, usage.cacheReadTokens, promptTokens(usage)]).toEqual([100, 4_000, 4_100]);
  });
});

describe("anthropic-messages", () => {
  it("starts a stream with an estimate of the prompt where the upstream has not counted yet", () => {
    const { encodeStream } = codecOf("anthropic-messages");
    const [start] = runStream(encodeStream, EVENTS, { inputTokens: 4_242 });
    expect(JSON.parse(start?.data ?? "")).toMatchObject({ message: { usage: { input_tokens: 4_242 } } });
  });

  it("does not add the report at the end to the one at the start", () => {
    const { decodeStream } = codecOf("anthropic-messages");
    const events = [
      {
        type: "message_start",
        message: { id: "m", usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } },
      },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { input_tokens: 10, output_tokens: 9 } },
      { type: "message_stop" },
    ];
    const read = collectReply(
      runStream(
        decodeStream,
        events.map((event) => ({ data: JSON.stringify(event) })),
      ),
    );
    expect(read.usage).toEqual({ inputTokens: 10, cacheReadTokens: 5, cacheWriteTokens: 0, outputTokens: 9 });
  });
});
