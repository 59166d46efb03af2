import { type JsonObject, promptTokens, type StreamEvent, type Usage } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import type { WireEvent } from "../codec/stepper.ts";
import { codecOf } from "../codecs.ts";
import { gemini } from "../gemini/index.ts";
import { collectReply } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

// 0/0 at the start of Anthropic's streams, tokens counted twice, cached tokens added or subtracted wrongly, reasoning lost.
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
  it("reports all counts at the end of a stream, each once", () => {
    expect(collectReply(runStream(codec.decodeStream, runStream(codec.encodeStream, EVENTS))).usage).toEqual(USAGE);
  });

  it("separates cached tokens from the rest of the prompt", () => {
    const reply = { id: "r", model: "m", blocks: [], stopReason: "end" as const, usage: USAGE };
    const { usage } = codec.decodeReply(JSON.parse(JSON.stringify(codec.encodeReply(reply))));
    expect([usage.inputTokens, usage.cacheReadTokens, promptTokens(usage)]).toEqual([100, 4_000, 4_100]);
  });
});

describe("anthropic-messages", () => {
  it("starts a stream with an estimate of the prompt if the upstream has not sent usage yet", () => {
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

// The prompt count includes cached tokens, every event has counts, and thoughts are counted separately from the output.
const GEMINI_USAGE = {
  promptTokenCount: 1_029,
  cachedContentTokenCount: 1_000,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 804,
  totalTokenCount: 1_848,
};
const READ = {
  inputTokens: 29,
  cacheReadTokens: 1_000,
  cacheWriteTokens: 0,
  outputTokens: 819,
  reasoningTokens: 804,
};

function makeChunk(text: string, usageMetadata: JsonObject, finishReason?: string): JsonObject {
  const content = { role: "model", parts: [{ text }] };
  return { candidates: [{ content, ...(finishReason && { finishReason }) }], usageMetadata, responseId: "r1" };
}

const STREAM: readonly WireEvent[] = [
  makeChunk("Hel", { promptTokenCount: 1_029, cachedContentTokenCount: 1_000, thoughtsTokenCount: 804 }),
  makeChunk("lo.", { ...GEMINI_USAGE, candidatesTokenCount: 7 }),
  makeChunk("", GEMINI_USAGE, "STOP"),
].map((chunk) => ({ data: JSON.stringify(chunk) }));

describe("Gemini's usage", () => {
  it("is counted once, with cached tokens separate and thoughts in the output, in a reply and a stream", () => {
    expect(gemini.decodeReply(makeChunk("Hello.", GEMINI_USAGE, "STOP")).usage).toEqual(READ);
    expect(collectReply(runStream(gemini.decodeStream, STREAM)).usage).toEqual(READ);
  });

  it("reaches an Anthropic client with the prompt tokens in the first event and nothing counted twice", () => {
    const events = runStream(anthropicMessages.encodeStream, runStream(gemini.decodeStream, STREAM));
    const usages = events.map(({ data }) => JSON.parse(data)).filter(({ message, usage }) => message ?? usage);
    expect(usages.map(({ message, usage }) => message?.usage ?? usage)).toMatchObject([
      { input_tokens: 29, cache_read_input_tokens: 1_000 },
      {
        input_tokens: 29,
        cache_read_input_tokens: 1_000,
        output_tokens: 819,
        output_tokens_details: { thinking_tokens: 804 },
      },
    ]);
  });

  it("matches a Gemini client's totals if another vendor answers", () => {
    const usage = { input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 85, output_tokens: 20 };
    const reply = anthropicMessages.decodeReply({ content: [], stop_reason: "end_turn", usage });
    expect(gemini.encodeReply(reply).usageMetadata).toEqual({
      promptTokenCount: 100,
      cachedContentTokenCount: 85,
      candidatesTokenCount: 20,
      totalTokenCount: 120,
    });
  });
});
