import { CODECS, codecNamed } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { watchStreamEnd } from "./stream-end.ts";

const NOTHING = Buffer.alloc(0);

function endOf(wire: string, ...chunks: string[]) {
  const end = watchStreamEnd(codecNamed(wire));
  for (const chunk of chunks) end.see(Buffer.from(chunk));
  return end;
}

describe("watchStreamEnd", () => {
  it.each([
    ["anthropic-messages", 'data: {"type":"message_stop"}\n\n'],
    ["openai-chat", "data: [DONE]\n\n"],
    ["openai-chat", 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'],
    ["openai-responses", 'data: {"type":"response.completed","response":{}}\n\n'],
    ["openai-responses", 'data: {"type":"response.incomplete","response":{}}\n\n'],
    ["openai-responses", "data: [DONE]\n\n"],
    ["gemini", 'data: {"candidates":[{"finishReason": "STOP"}]}\n\n'],
    ["gemini", 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n'],
  ])("recognises a complete stream of %s after %s", (wire, last) => {
    expect(endOf(wire, last).isComplete(NOTHING)).toBe(true);
    expect(endOf(wire).isComplete(Buffer.from(last))).toBe(true);
    expect(endOf(wire, last, ": usage\n\n", ": bye\n\n").isComplete(NOTHING)).toBe(true);
    expect(endOf(wire, last).failure()).toBeUndefined();
  });

  it("finds an end and an error in front of other data in the same chunk", () => {
    const comment = `: ${"x".repeat(5_000)}\n\n`;
    const error = 'data: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n';
    expect(endOf("openai-chat", `data: [DONE]\n\n${comment}`).isComplete(NOTHING)).toBe(true);
    expect(endOf("anthropic-messages", error + comment).failure()?.message).toContain("busy");
  });

  it.each([
    ["anthropic-messages", 'data: {"delta":{"text":"\\"message_stop\\""}}\n\n'],
    [
      "openai-chat",
      'data: {"choices":[{"delta":{"content":"\\"finish_reason\\":\\"stop\\""},"finish_reason":null}]}\n\n',
    ],
    ["openai-responses", 'data: {"type":"response.output_text.delta","delta":"\\"response.completed\\""}\n\n'],
    ["gemini", 'data: {"candidates":[{"content":{"parts":[{"text":"\\"finishReason\\""}]}}]}\n\n'],
  ])("does not mistake the text of a %s model for its end", (wire, text) => {
    expect(endOf(wire, text).isComplete(NOTHING)).toBe(false);
  });

  it("looks at the last chunks only", () => {
    const end = endOf("openai-chat", "data: [DONE]\n\n", ...Array.from({ length: 4 }, () => ": later\n\n"));
    expect(end.isComplete(NOTHING)).toBe(false);
  });

  it.each(CODECS.map(({ id }) => id))("reads the error that ends a stream of %s", (wire) => {
    const data = JSON.stringify({ type: "error", error: { type: "server_error", code: 500, message: "no GPU" } });
    expect(endOf(wire, `event: error\ndata: ${data}\n\n`).failure()?.message).toBe("no GPU");
  });

  it("does not mistake an argument named error for an error", () => {
    const call = { functionCall: { name: "f", args: { error: { message: "x" } } } };
    const data = JSON.stringify({ candidates: [{ content: { parts: [call] }, finishReason: "STOP" }] });
    expect(endOf("gemini", `data: ${data}\n\n`).failure()).toBeUndefined();
  });
});
