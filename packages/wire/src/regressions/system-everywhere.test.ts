import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";

const anthropic = codecOf("anthropic-messages");

// Claude Code sends a system prompt of blocks that starts with a billing line, and a system message inside the conversation.
const REQUEST = anthropic.decodeRequest({
  model: "m",
  max_tokens: 9,
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.325" },
    { type: "text", text: "You are careful." },
  ],
  messages: [
    { role: "user", content: "Hi." },
    { role: "system", content: "The date is new." },
    { role: "assistant", content: "Hello." },
    { role: "user", content: "Go." },
  ],
});
const NOTE = "<system-reminder>\nThe date is new.\n</system-reminder>";

describe("a system prompt of blocks and a system message in the middle", () => {
  it("are sent unchanged to Anthropic", () => {
    const { body } = anthropic.encodeRequest(REQUEST, { model: "m" });
    expect(body).toEqual({ ...(REQUEST.native?.value as object) });
  });

  it("become tagged text in place if the model does not allow them, with alternating roles", () => {
    const { body } = anthropic.encodeRequest(REQUEST, { model: "m", systemMessages: false });
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Hi." },
          { type: "text", text: NOTE },
        ],
      },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "Go." },
    ]);
  });

  it("keep their positions in chat completions and Responses, without the billing line", () => {
    expect(codecOf("openai-chat").encodeRequest(REQUEST, { model: "m" }).body.messages).toEqual([
      { role: "system", content: "You are careful." },
      { role: "user", content: "Hi." },
      { role: "system", content: "The date is new." },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "Go." },
    ]);
    const { body } = codecOf("openai-responses").encodeRequest(REQUEST, { model: "m", systemRole: "developer" });
    expect(body.instructions).toBe("You are careful.");
    expect(body.input).toMatchObject([
      { role: "user" },
      { role: "developer" },
      { role: "assistant" },
      { role: "user" },
    ]);
  });

  it("become tagged text in place for Gemini, never part of its system instruction", () => {
    const { body } = codecOf("gemini").encodeRequest(REQUEST, { model: "m" });
    expect(body.systemInstruction).toMatchObject({ parts: [{ text: "You are careful." }] });
    expect(body.contents).toMatchObject([
      { role: "user", parts: [{ text: "Hi." }, { text: NOTE }] },
      { role: "model" },
      { role: "user" },
    ]);
  });
});
