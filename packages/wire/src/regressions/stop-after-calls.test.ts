import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { codecOf } from "../codecs.ts";
import { gemini } from "../gemini/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { collectReply } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

const chat = codecOf("openai-chat");
const CALL = { index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } };

function chunk(delta: object, finish_reason: string | null = null) {
  return { data: JSON.stringify({ id: "r", model: "m", choices: [{ index: 0, delta, finish_reason }] }) };
}

// Servers that send "stop" after calls left agents waiting, and text after the finish reason was lost.
describe("a chat server that sends stop after calls and then more text", () => {
  const events = runStream(chat.decodeStream, [
    chunk({ tool_calls: [CALL] }, "stop"),
    chunk({ content: "And so on." }),
    { data: "[DONE]" },
  ]);

  it.each(FORMATS)("waits for results and loses no text, for a client of $codec.id", ({ codec }) => {
    const reply = collectReply(runStream(codec.decodeStream, runStream(codec.encodeStream, events)));
    expect(reply.stopReason).toBe("tool-calls");
    expect(reply.blocks).toContainEqual({ type: "text", text: "And so on." });
    expect(reply.blocks).toContainEqual({ type: "tool-call", id: "a", name: "f", input: {} });
  });

  it("is also decoded in a complete reply", () => {
    const { index: _, ...call } = CALL;
    const body = { choices: [{ message: { content: "x", tool_calls: [call] }, finish_reason: "stop" }] };
    expect(chat.decodeReply(body).stopReason).toBe("tool-calls");
    expect(codecOf("anthropic-messages").encodeReply(chat.decodeReply(body)).stop_reason).toBe("tool_use");
  });
});

function makeChunk(parts: readonly JsonObject[], finishReason?: string): JsonObject {
  const content = { role: "model", parts };
  return { candidates: [finishReason === undefined ? { content } : { content, finishReason }], responseId: "r1" };
}

function stream(...chunks: readonly JsonObject[]) {
  return runStream(
    gemini.decodeStream,
    chunks.map((chunk) => ({ data: JSON.stringify(chunk) })),
  );
}

const GEMINI_CALL = { functionCall: { name: "now", args: {} } };

describe("Gemini's STOP after calls", () => {
  const reply = gemini.decodeReply(makeChunk([GEMINI_CALL], "STOP"));

  it("is decoded as tool-calls", () => {
    expect(reply.stopReason).toBe("tool-calls");
    expect(collectReply(stream(makeChunk([GEMINI_CALL]), makeChunk([{ text: "" }], "STOP"))).stopReason).toBe(
      "tool-calls",
    );
    expect(anthropicMessages.encodeReply(reply)).toMatchObject({ stop_reason: "tool_use" });
    expect(openaiChat.encodeReply(reply)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  });

  it("is sent to a Gemini client if another vendor waits for results", () => {
    const { native: _, ...foreign } = reply;
    expect(gemini.encodeReply(foreign)).toMatchObject({ candidates: [{ finishReason: "STOP" }] });
  });

  it("does not end the stream, because calls and usage can follow", () => {
    const late = { ...makeChunk([GEMINI_CALL]), usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 } };
    expect(collectReply(stream(makeChunk([{ text: "Hi." }], "STOP"), late))).toMatchObject({
      blocks: [
        { type: "text", text: "Hi." },
        { type: "tool-call", name: "now" },
      ],
      stopReason: "tool-calls",
      usage: { inputTokens: 3, outputTokens: 4 },
    });
  });
});
