import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { messageBlocks } from "../testing/script.ts";
import { openaiChat } from "./openai-chat.ts";

function read(log: string) {
  return openaiChat.read(parseDocument(log))!;
}

describe("openaiChat", () => {
  it("reads only leading system messages as the system prompt", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "developer", content: [{ type: "text", text: "Be kind." }] },
      { role: "user", content: "Hi." },
      { role: "system", content: "It is late." },
    ];
    const { conversation } = read(JSON.stringify({ messages }));
    expect(conversation.system).toEqual([
      { type: "text", text: "Be brief.", native: { wire: "openai-chat", value: "Be brief." } },
      { type: "text", text: "Be kind.", native: { wire: "openai-chat", value: { type: "text", text: "Be kind." } } },
    ]);
    expect(messageBlocks(conversation.messages)).toEqual([
      ["user", "text", "Hi."],
      ["system", "text", "It is late."],
    ]);
  });

  it("reads a list of only system messages", () => {
    const { conversation } = read('[{"role":"system","content":"Be brief."}]');
    expect([conversation.system.length, conversation.messages.length]).toEqual([1, 0]);
  });

  it("reads model and tools of a request body", () => {
    const body = {
      model: "gpt-5",
      tools: [{ type: "function", function: { name: "read" } }],
      messages: [
        { role: "user", content: "Hi." },
        { role: "assistant", content: "Hello." },
      ],
    };
    const { conversation, calls } = read(JSON.stringify(body));
    expect(conversation.tools).toMatchObject([{ name: "read" }]);
    expect(calls).toEqual([{ model: "gpt-5", outcome: "finished", prompt: { from: 0, to: 1 }, reply: 1 }]);
  });
});
