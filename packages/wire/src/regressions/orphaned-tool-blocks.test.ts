import { toolPairs } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { MISSING_RESULT } from "../adapt/pairs.ts";
import { ANTHROPIC, FORMATS } from "../testing/formats.ts";
import { makeRequestOf } from "../testing/make-context.ts";

// "`tool_use` ids were found without `tool_result` blocks immediately after", and "unexpected `tool_use_id` found in `tool_result` blocks".
const BROKEN = makeConversation(
  [
    makeUser("Go."),
    makeAssistant([makeToolCall("a"), makeToolCall("b")]),
    makeUser(["Stop.", makeToolResult("b", "two")]),
    makeAssistant("Ok."),
    makeUser([makeToolResult("gone", "nobody asked"), "Next."]),
    makeAssistant(makeToolCall("c")),
  ],
  { tools: [makeTool()] },
);

describe.each(FORMATS)("$codec.id", ({ codec, destination, line }) => {
  it("sends every call with a result and every result with a call, results first", () => {
    const { body, warnings } = codec.encodeRequest(makeRequestOf(BROKEN), destination);
    const { messages } = codec.decodeRequest(body, line).conversation;
    const { pairs, orphans } = toolPairs(messages);
    expect(orphans).toEqual([]);
    expect(pairs.map(({ result }) => result !== undefined)).toEqual([true, true, true]);
    expect(JSON.stringify(body)).toContain(MISSING_RESULT);
    expect(JSON.stringify(body)).not.toContain("nobody asked");
    expect(warnings.map(({ feature }) => feature)).toEqual(
      expect.arrayContaining(["tool-result.orphan", "tool-call.result"]),
    );
  });
});

describe("anthropic-messages", () => {
  it("puts results before the text of the same message", () => {
    const { body } = ANTHROPIC.codec.encodeRequest(makeRequestOf(BROKEN), ANTHROPIC.destination);
    const answer = Array.isArray(body.messages) ? body.messages[2] : undefined;
    expect(answer).toMatchObject({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", is_error: true },
        { type: "tool_result", tool_use_id: "b" },
        { type: "text", text: "Stop." },
      ],
    });
  });
});
