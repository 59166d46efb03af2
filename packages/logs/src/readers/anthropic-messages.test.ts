import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { readAnthropic } from "../read-log.ts";
import { describeReader } from "../testing/describe-reader.ts";
import { type Script, type Step, UNKNOWN_BLOCK } from "../testing/script.ts";

describeReader({ format: "anthropic-messages", read: readAnthropic, write, layout: "list", recordsUsage: false });

function write(script: Script): JsonObject[] {
  return script.map(writeStep);
}

function writeStep(step: Step): JsonObject {
  if (step.kind === "user") return { role: "user", content: step.text };
  if (step.kind === "results") {
    const content = step.results.map(({ callId, text }) => ({
      type: "tool_result",
      tool_use_id: callId,
      content: text,
    }));
    return { role: "user", content };
  }
  const calls = step.calls.map((call) => ({ type: "tool_use", ...call }));
  const unknown = step.hasUnknownBlock ? [UNKNOWN_BLOCK] : [];
  return { role: "assistant", content: [{ type: "text", text: step.text }, ...unknown, ...calls] };
}

describe("readAnthropic", () => {
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
    const { conversation, calls } = readAnthropic(JSON.stringify(body));
    expect(conversation).toMatchObject({ system: [{ type: "text", text: "Be brief." }], tools: [{ name: "read" }] });
    expect(calls).toEqual([{ model: "claude-opus-4-5", outcome: "finished", prompt: { from: 0, to: 1 }, reply: 1 }]);
  });

  it("takes what only a reply has out of a message, and its usage for the call's", () => {
    const reply = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [{ type: "text", text: "Hello." }],
      stop_reason: "end_turn",
      usage: { input_tokens: 5, output_tokens: 2 },
    };
    const { conversation, calls } = readAnthropic(JSON.stringify([reply]));
    expect(conversation.messages[0]?.native?.value).toEqual({ role: "assistant", content: reply.content });
    expect(conversation.messages[0]).not.toHaveProperty("extra");
    expect(calls).toMatchObject([{ model: "claude-opus-4-5", usage: { inputTokens: 5, outputTokens: 2 } }]);
  });
});
