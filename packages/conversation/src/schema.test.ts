import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConversation } from "./schema.ts";
import { anyConversation, anyMessyConversation, makeConversation, makeToolCall, makeUser } from "./testing/index.ts";

const FIRST = "conversation.messages[0].blocks[0]";

describe("parseConversation", () => {
  it("reads every conversation back from its JSON, without loss", () => {
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), (conversation) => {
        expect(parseConversation(JSON.parse(JSON.stringify(conversation)))).toEqual(conversation);
      }),
    );
  });

  it("keeps what rides along", () => {
    const conversation = makeConversation([
      {
        ...makeUser(),
        native: { wire: "openai-chat", value: { role: "user", content: "Hello" } },
        extra: { name: "Ada", tags: [1, null] },
      },
    ]);
    expect(parseConversation(conversation)).toEqual(conversation);
  });

  it("fills in what may be left out", () => {
    const result = { type: "tool-result", callId: "a", content: [] };
    const parsed = parseConversation({ tools: [{ name: "run" }], messages: [{ role: "user", blocks: [result] }] });
    expect(parsed).toEqual({
      system: [],
      tools: [{ name: "run", kind: "function" }],
      messages: [{ role: "user", blocks: [{ ...result, isError: false }] }],
    });
  });

  it.each([[{ messages: [] }], [{}]])("refuses %j because it has no messages", (value) => {
    expect(() => parseConversation(value)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", message: "Conversation has no messages" }),
    );
  });

  it("tells how to wrap a block of another format", () => {
    expect(faultOf({ messages: [makeUser(), { role: "user", blocks: [{ type: "hologram" }] }] })).toBe(
      'conversation.messages[1].blocks[0].type is "hologram"; give one of "text", "image", "document", "tool-call", ' +
        '"tool-result", "thinking", "redacted-thinking", "compaction", "opaque", or wrap a block of another format as ' +
        '{"type":"opaque","kind":"hologram","native":{"wire":"<its format>","value":<the block>}}',
    );
  });

  it.each<[string, unknown, string]>([
    ["no conversation", "hello", 'conversation is "hello"; give an object'],
    ["a list", [], "conversation is an array; give an object"],
    ["messages of a wrong type", { messages: {} }, "conversation.messages is an object; give an array"],
    ["a block without a type", blocks({}), `${FIRST}.type is missing; give one of "text", "image",`],
    ["a text that is none", blocks({ type: "text", text: 4 }), `${FIRST}.text is 4; give a string`],
    ["a missing text", blocks({ type: "text" }), `${FIRST}.text is missing; give a string`],
    [
      "an unknown lifetime",
      blocks({ type: "text", text: "", cache: { ttl: "2h" } }),
      `.cache.ttl is "2h"; give one of "5m", "1h"`,
    ],
    [
      "an unknown source",
      blocks({ type: "image", source: { kind: "ftp" } }),
      `.source.kind is "ftp"; give one of "base64",`,
    ],
    [
      "a result that is half true",
      blocks({ type: "tool-result", callId: "a", content: [], isError: null }),
      ".isError is null; give true or false",
    ],
    [
      "an input that is not JSON",
      blocks({ ...makeToolCall(), input: undefined }),
      ".input is missing; give a JSON value of at most 500 levels",
    ],
    [
      "an extra that is no object",
      blocks({ type: "text", text: "", extra: [] }),
      ".extra is an array; give a JSON object of at most 500 levels",
    ],
    [
      "a misspelt field",
      blocks({ type: "text", text: "", txet: "" }),
      `${FIRST} has unknown fields "txet"; remove them, or move them under "extra"`,
    ],
    [
      "a role of another format",
      { messages: [{ role: "tool", blocks: [] }] },
      `"system"; a tool's answer is a tool-result block in a user message`,
    ],
    ["two faults", { messages: 1, tools: 2 }, "conversation.tools is 2; give an array (and 1 more like this)"],
    ["a long value", { messages: "m".repeat(1000) }, `is "${"m".repeat(60)}…"; give`],
  ])("names the place, the value and the remedy for %s", (_, value, message) => {
    expect(faultOf(value)).toContain(message);
  });
});

function blocks(...all: unknown[]): unknown {
  return { messages: [{ role: "user", blocks: all }] };
}

function faultOf(value: unknown): string {
  try {
    parseConversation(value);
  } catch (error) {
    expect(error).toMatchObject({ name: "LonghaulError", code: "request.malformed", status: 400 });
    return (error as Error).message;
  }
  throw new Error("it was accepted");
}
