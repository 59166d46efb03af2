import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";
import { collectReply } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { runStream } from "../testing/stream.ts";

const chat = codecOf("openai-chat");
const CALL = { index: 0, id: "a", type: "function", function: { name: "f", arguments: "{}" } };

function chunk(delta: object, finish_reason: string | null = null) {
  return { data: JSON.stringify({ id: "r", model: "m", choices: [{ index: 0, delta, finish_reason }] }) };
}

// Servers that say "stop" after calls left agents waiting, and words after the reason to stop were lost.
describe("a chat server that says stop after calls, and goes on talking", () => {
  const events = runStream(chat.decodeStream, [
    chunk({ tool_calls: [CALL] }, "stop"),
    chunk({ content: "And so on." }),
    { data: "[DONE]" },
  ]);

  it.each(FORMATS)("waits for results, and loses no word, for a client of $codec.id", ({ codec }) => {
    const reply = collectReply(runStream(codec.decodeStream, runStream(codec.encodeStream, events)));
    expect(reply.stopReason).toBe("tool-calls");
    expect(reply.blocks).toContainEqual({ type: "text", text: "And so on." });
    expect(reply.blocks).toContainEqual({ type: "tool-call", id: "a", name: "f", input: {} });
  });

  it("is understood in a whole reply too", () => {
    const { index: _, ...call } = CALL;
    const body = { choices: [{ message: { content: "x", tool_calls: [call] }, finish_reason: "stop" }] };
    expect(chat.decodeReply(body).stopReason).toBe("tool-calls");
    expect(codecOf("anthropic-messages").encodeReply(chat.decodeReply(body)).stop_reason).toBe("tool_use");
  });
});
