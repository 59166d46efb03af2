import { isJsonObject, type JsonObject, type JsonValue, type Request } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeThinking,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import type { Codec } from "../codec/codec.ts";
import { gemini } from "../gemini/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { openaiResponses } from "../openai-responses/index.ts";

// "400 … Function call is missing a thought_signature in functionCall parts."

const TARGET = { model: "gemini-3.5-flash", maxOutputTokens: 65_536, signedCalls: true };

const REPLY = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [
          { functionCall: { name: "read_file", args: { path: "a" } }, thoughtSignature: "c2lnbmF0dXJl" },
          { functionCall: { name: "read_file", args: { path: "b" } } },
        ],
      },
      finishReason: "STOP",
    },
  ],
  modelVersion: "gemini-3.5-flash",
  responseId: "r1",
};

/** How clients send a reply back, with the results of both calls. */
const NEXT_TURN: readonly [Codec, (reply: JsonObject) => JsonObject][] = [
  [
    anthropicMessages,
    (reply) => {
      const content = listOf(reply.content);
      const calls = content.filter((block) => block.type === "tool_use");
      const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id ?? "", content: "ok" }));
      return {
        max_tokens: 9,
        messages: [
          { role: "user", content: "Go." },
          { role: "assistant", content },
          { role: "user", content: results },
        ],
      };
    },
  ],
  [
    openaiChat,
    (reply) => {
      const message = objectOf(listOf(reply.choices)[0]?.message);
      const results = listOf(message.tool_calls).map(({ id }) => ({
        role: "tool",
        tool_call_id: id ?? "",
        content: "ok",
      }));
      return { messages: [{ role: "user", content: "Go." }, message, ...results] };
    },
  ],
  [
    openaiResponses,
    (reply) => {
      const output = listOf(reply.output);
      const calls = output.filter((item) => item.type === "function_call");
      const results = calls.map(({ call_id }) => ({
        type: "function_call_output",
        call_id: call_id ?? "",
        output: "ok",
      }));
      return { input: [{ role: "user", content: "Go." }, ...output, ...results] };
    },
  ],
  [
    gemini,
    (reply) => {
      const content = objectOf(listOf(reply.candidates)[0]?.content);
      const results = listOf(content.parts).map(() => ({
        functionResponse: { name: "read_file", response: { output: "ok" } },
      }));
      return { contents: [{ role: "user", parts: [{ text: "Go." }] }, content, { role: "user", parts: results }] };
    },
  ],
];

describe("a thought signature", () => {
  it.each(NEXT_TURN.map(([codec, next]) => [codec.id, codec, next] as const))(
    "returns to Google from a client of %s",
    (_, client, next) => {
      const shown = client.encodeReply(gemini.decodeReply(REPLY), { createdSeconds: 1 });
      const request = client.decodeRequest(JSON.parse(JSON.stringify(next(shown))));
      const { body, warnings } = gemini.encodeRequest(request, TARGET);
      const result = { functionResponse: { name: "read_file", response: { output: "ok" } } };
      expect(body.contents).toEqual([
        { role: "user", parts: [{ text: "Go." }] },
        REPLY.candidates[0]?.content,
        { role: "user", parts: [result, result] },
      ]);
      expect(warnings).toEqual([]);
    },
  );
});

describe("calls from another model", () => {
  const request: Request = {
    model: "claude-sonnet-5",
    stream: false,
    sampling: {},
    conversation: makeConversation(
      [
        makeUser("Go."),
        makeAssistant([makeThinking(), makeToolCall("a"), makeToolCall("b")]),
        makeUser([makeToolResult("a", "1"), makeToolResult("b", "2")]),
      ],
      { tools: [makeTool()] },
    ),
  };

  it("are sent with Google's placeholder, once per round, to models that require signatures", () => {
    const { body, warnings } = gemini.encodeRequest(request, TARGET);
    const args = { path: "src/main.ts" };
    expect(objectOf(listOf(body.contents)[1]).parts).toEqual([
      { functionCall: { id: "a", name: "read_file", args }, thoughtSignature: "skip_thought_signature_validator" },
      { functionCall: { id: "b", name: "read_file", args } },
    ]);
    expect(warnings.map(({ feature }) => feature)).toEqual(["block.thinking", "tool-call.signature"]);
  });

  it("are sent unchanged to models that do not, and to Claude behind the same format", () => {
    for (const destination of [
      { ...TARGET, signedCalls: false },
      { ...TARGET, vendor: "anthropic" },
    ]) {
      expect(JSON.stringify(gemini.encodeRequest(request, destination).body)).not.toContain("skip_thought_signature");
    }
  });
});

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
