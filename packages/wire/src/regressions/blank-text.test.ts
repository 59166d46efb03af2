import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";

const anthropic = codecOf("anthropic-messages");

// "text content blocks must be non-empty", "messages: text content blocks must contain non-whitespace text".
describe("blank text", () => {
  it("is dropped for Anthropic, and a message without other content gets a placeholder", () => {
    const request = anthropic.decodeRequest({
      model: "m",
      max_tokens: 9,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: " " },
            { type: "text", text: "Go." },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "" },
            { type: "tool_use", id: "a", name: "f", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "\n" }] }] },
        { role: "assistant", content: "" },
        { role: "user", content: "\n" },
      ],
    });
    expect(anthropic.encodeRequest(request, { model: "m" }).body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Go." }] },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a" },
          { type: "text", text: "(no content)" },
        ],
      },
    ]);
  });

  it("is not created from the empty content that chat clients put beside calls", () => {
    const chat = codecOf("openai-chat").decodeRequest({
      model: "m",
      messages: [
        { role: "user", content: "Go." },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "a", content: "" },
      ],
    });
    expect(anthropic.encodeRequest(chat, { model: "m" }).body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Go." }] },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a" }] },
    ]);
  });
});
