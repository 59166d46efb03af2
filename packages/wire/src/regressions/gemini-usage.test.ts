import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import type { WireEvent } from "../codec/stepper.ts";
import { gemini } from "../gemini/index.ts";
import { collectReply } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";

// Prompt tokens that include what was cached, counts that come with every event, and thoughts beside the output.
const USAGE = {
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
  makeChunk("lo.", { ...USAGE, candidatesTokenCount: 7 }),
  makeChunk("", USAGE, "STOP"),
].map((chunk) => ({ data: JSON.stringify(chunk) }));

describe("Gemini's usage", () => {
  it("is told once, cached tokens apart and thoughts in the output, in a reply and in a stream", () => {
    expect(gemini.decodeReply(makeChunk("Hello.", USAGE, "STOP")).usage).toEqual(READ);
    expect(collectReply(runStream(gemini.decodeStream, STREAM)).usage).toEqual(READ);
  });

  it("reaches an Anthropic client with the prompt's tokens in the first event and nothing counted twice", () => {
    const events = runStream(anthropicMessages.encodeStream, runStream(gemini.decodeStream, STREAM));
    const told = events.map(({ data }) => JSON.parse(data)).filter(({ message, usage }) => message ?? usage);
    expect(told.map(({ message, usage }) => message?.usage ?? usage)).toMatchObject([
      { input_tokens: 29, cache_read_input_tokens: 1_000 },
      {
        input_tokens: 29,
        cache_read_input_tokens: 1_000,
        output_tokens: 819,
        output_tokens_details: { thinking_tokens: 804 },
      },
    ]);
  });

  it("is what a Gemini client adds up to when another vendor answers", () => {
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
