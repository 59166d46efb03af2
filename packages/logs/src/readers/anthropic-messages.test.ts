import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

function read(log: string) {
  return anthropicMessages.read(parseDocument(log))!;
}

describe("anthropicMessages", () => {
  it("reads system, tools and model of a request body", () => {
    const body = {
      model: "claude-opus-4-5",
      system: [{ type: "text", text: "Be brief." }],
      tools: [{ name: "read", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "Hi." },
        { role: "assistant", content: "Hello." },
      ],
    };
    const { conversation, calls } = read(JSON.stringify(body));
    expect(conversation).toMatchObject({ system: [{ type: "text", text: "Be brief." }], tools: [{ name: "read" }] });
    expect(calls).toEqual([{ model: "claude-opus-4-5", outcome: "finished", prompt: { from: 0, to: 1 }, reply: 1 }]);
  });

  it("removes a reply's fields from its message and uses its usage for the call", () => {
    const reply = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [{ type: "text", text: "Hello." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 2 },
    };
    const { conversation, calls } = read(JSON.stringify([reply]));
    expect(conversation.messages[0]?.native?.value).toEqual({ role: "assistant", content: reply.content });
    expect(conversation.messages[0]).not.toHaveProperty("extra");
    expect(calls).toMatchObject([{ model: "claude-opus-4-5", usage: { inputTokens: 5, outputTokens: 2 } }]);
  });
});
