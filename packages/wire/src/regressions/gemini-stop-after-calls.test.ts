import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { gemini } from "../gemini/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { collectReply } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";

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

const CALL = { functionCall: { name: "now", args: {} } };

describe("Gemini, which says STOP after calls", () => {
  const reply = gemini.decodeReply(makeChunk([CALL], "STOP"));

  it("is understood to wait for results", () => {
    expect(reply.stopReason).toBe("tool-calls");
    expect(collectReply(stream(makeChunk([CALL]), makeChunk([{ text: "" }], "STOP"))).stopReason).toBe("tool-calls");
    expect(anthropicMessages.encodeReply(reply)).toMatchObject({ stop_reason: "tool_use" });
    expect(openaiChat.encodeReply(reply)).toMatchObject({ choices: [{ finish_reason: "tool_calls" }] });
  });

  it("is said to have stopped by itself to a Gemini client when another vendor waits for results", () => {
    const { native: _, ...foreign } = reply;
    expect(gemini.encodeReply(foreign)).toMatchObject({ candidates: [{ finishReason: "STOP" }] });
  });

  it("is listened to until its stream ends, because calls and usage can follow the reason", () => {
    const late = { ...makeChunk([CALL]), usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 } };
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
