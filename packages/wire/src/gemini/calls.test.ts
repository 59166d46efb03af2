import { type Message, toolPairs } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { openaiResponses } from "../openai-responses/index.ts";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { isPlaceholder, placeholderId, replyCallId, settleCalls } from "./calls.ts";
import { gemini } from "./index.ts";
import { RULES } from "./rules.ts";

const FITTING = makeFitting({ rules: RULES });

function settle(messages: readonly Message[]): readonly Message[] {
  return settleCalls(makeRequestOf(makeConversation(messages)), FITTING).conversation.messages;
}

describe("settleCalls", () => {
  it("names every result after its call", () => {
    const calls = makeAssistant([makeToolCall("a"), makeToolCall("b", { name: "list" })]);
    expect(settle([calls, makeUser([makeToolResult("b", "2"), makeToolResult("a", "1")])])).toEqual([
      calls,
      makeUser([makeToolResult("b", "2", { name: "list" }), makeToolResult("a", "1", { name: "read_file" })]),
    ]);
  });

  it("puts results without ids in the order of their calls, and leaves other blocks in their places", () => {
    const [a, b] = ["gemini_call_r1_0", "gemini_call_r1_1"];
    const calls = makeAssistant([makeToolCall(a), makeToolCall(b)]);
    const results = [makeToolResult(b, "2"), makeText("Note."), makeToolResult(a, "1")];
    expect(settle([calls, makeUser(results)])[1]).toEqual(
      makeUser([
        makeToolResult(a, "1", { name: "read_file" }),
        makeText("Note."),
        makeToolResult(b, "2", { name: "read_file" }),
      ]),
    );
  });

  it("returns the identical request where there is nothing to settle", () => {
    const result = makeToolResult("a", "1", { name: "read_file" });
    const request = makeRequestOf(makeConversation([makeAssistant(makeToolCall("a")), makeUser(result)]));
    expect(settleCalls(request, FITTING)).toBe(request);
  });
});

describe("placeholderId", () => {
  it("is one for a call and its result", () => {
    expect(placeholderId("read_file")).toBe("gemini_call_read_file");
  });
});

describe("replyCallId", () => {
  it("differs from call to call and from reply to reply", () => {
    expect(replyCallId("r1", 0, "a")).toBe("gemini_call_r1_0");
    expect(replyCallId("r1", 1, "a")).toBe("gemini_call_r1_1");
    expect(replyCallId("r2", 0, "a")).toBe("gemini_call_r2_0");
  });

  it("goes by what the call says where the reply has no id", () => {
    expect(replyCallId("", 0, "a")).toMatch(/^gemini_call_[0-9a-f]{32}_0$/);
    expect(replyCallId("", 0, "a")).not.toBe(replyCallId("", 0, "b"));
  });
});

describe("isPlaceholder", () => {
  it("tells our ids from those that somebody gave", () => {
    expect([placeholderId("now"), replyCallId("r", 0, ""), "toolu_1", "read_file"].map(isPlaceholder)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe("calls without ids", () => {
  const call = (name: string, path: string) => ({ functionCall: { name, args: { path } } });
  const result = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
  const contents = [
    { role: "user", parts: [{ text: "Go." }] },
    { role: "model", parts: [call("read", "a"), call("list", "b"), call("read", "c")] },
    { role: "user", parts: [result("list", "of b"), result("read", "of a")] },
    { role: "user", parts: [result("read", "of c")] },
    { role: "model", parts: [call("read", "d")] },
    { role: "user", parts: [result("read", "of d")] },
  ];
  const pairs = [
    ["a", "of a"],
    ["b", "of b"],
    ["c", "of c"],
    ["d", "of d"],
  ];

  it.each([anthropicMessages, openaiChat, openaiResponses, gemini].map((codec) => [codec.id, codec] as const))(
    "find their results by name and order, also in %s",
    (_, codec) => {
      const request = gemini.decodeRequest({ contents }, { model: "m" });
      const { body } = codec.encodeRequest(request, { model: "m" });
      const { messages } = codec.decodeRequest(JSON.parse(JSON.stringify(body))).conversation;
      const blockAt = (at?: { message: number; block: number }) => at && messages[at.message]?.blocks[at.block];
      const { pairs: found, orphans } = toolPairs(messages);
      expect(orphans).toEqual([]);
      const read = found.map((pair) => [blockAt(pair.call), blockAt(pair.result)]);
      expect(read).toMatchObject(pairs.map(([path, text]) => [{ input: { path } }, { content: [{ text }] }]));
    },
  );
});
