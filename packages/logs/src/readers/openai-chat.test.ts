import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { readOpenaiChat } from "../read-log.ts";
import { describeReader } from "../testing/describe-reader.ts";
import { type Script, type Step, saidBy, UNKNOWN_BLOCK } from "../testing/script.ts";

describeReader({ format: "openai-chat", read: readOpenaiChat, write, layout: "list", recordsUsage: false });

/** A system message, so that a session without tools can be told from other formats. */
function write(script: Script): JsonObject[] {
  return [{ role: "system", content: "Be brief." }, ...script.flatMap(writeStep)];
}

function writeStep(step: Step): JsonObject[] {
  if (step.kind === "user") return [{ role: "user", content: step.text }];
  if (step.kind === "results")
    return step.results.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text }));
  const tool_calls = step.calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = step.hasUnknownBlock ? [{ type: "text", text: step.text }, UNKNOWN_BLOCK] : step.text;
  return [{ role: "assistant", content, ...(tool_calls.length > 0 && { tool_calls }) }];
}

describe("readOpenaiChat", () => {
  it("takes the system messages that open the list for the system prompt, and no later ones", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "developer", content: [{ type: "text", text: "Be kind." }] },
      { role: "user", content: "Hi." },
      { role: "system", content: "It is late." },
    ];
    const { conversation } = readOpenaiChat(JSON.stringify({ messages }));
    expect(conversation.system).toEqual([
      { type: "text", text: "Be brief.", native: { wire: "openai-chat", value: messages[0] } },
      { type: "text", text: "Be kind.", native: { wire: "openai-chat", value: { type: "text", text: "Be kind." } } },
    ]);
    expect(saidBy(conversation.messages)).toEqual([
      ["user", "text", "Hi."],
      ["system", "text", "It is late."],
    ]);
  });

  it("reads a list of nothing but system messages", () => {
    const { conversation } = readOpenaiChat('[{"role":"system","content":"Be brief."}]');
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
    const { conversation, calls } = readOpenaiChat(JSON.stringify(body));
    expect(conversation.tools).toMatchObject([{ name: "read" }]);
    expect(calls).toEqual([{ model: "gpt-5", outcome: "finished", prompt: { from: 0, to: 1 }, reply: 1 }]);
  });
});
