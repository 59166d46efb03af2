import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { requireContextLimit, requireMessages } from "./message.ts";
import { describeIssues, parseConversation } from "./schema.ts";
import { anyConversation, anyMessyConversation, makeConversation, makeToolCall, makeUser } from "./testing/index.ts";

const FIRST = "conversation.messages[0].blocks[0]";

describe("parseConversation", () => {
  it("parses every conversation back from its JSON without loss", () => {
    fc.assert(
      fc.property(fc.oneof(anyConversation(), anyMessyConversation()), (conversation) => {
        expect(parseConversation(JSON.parse(JSON.stringify(conversation)))).toEqual(conversation);
      }),
    );
  });

  it("keeps native values and extra fields", () => {
    const conversation = makeConversation([
      {
        ...makeUser(),
        native: { wire: "openai-chat", value: { role: "user", content: "Hello" } },
        extra: { name: "Ada", tags: [1, null] },
      },
    ]);
    expect(parseConversation(conversation)).toEqual(conversation);
  });

  it("fills in optional fields", () => {
    const result = { type: "tool-result", callId: "a", content: [] };
    const parsed = parseConversation({ tools: [{ name: "run" }], messages: [{ role: "user", blocks: [result] }] });
    expect(parsed).toEqual({
      system: [],
      tools: [{ name: "run", kind: "function" }],
      messages: [{ role: "user", blocks: [{ ...result, isError: false }] }],
    });
  });

  it.each([[{ messages: [] }], [{}]])("rejects %j because it has no messages", (value) => {
    expect(() => parseConversation(value)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", message: "Conversation has no messages" }),
    );
  });

  it("explains how to wrap a block of another format", () => {
    expect(faultOf({ messages: [makeUser(), { role: "user", blocks: [{ type: "hologram" }] }] })).toBe(
      'conversation.messages[1].blocks[0].type is "hologram"; expected one of "text", "image", "document", "tool-call", ' +
        '"tool-result", "thinking", "redacted-thinking", "compaction", "opaque", or a block of another format wrapped as ' +
        '{"type":"opaque","kind":"hologram","native":{"wire":"<its format>","value":<the block>}}',
    );
  });

  it.each<[string, unknown, string]>([
    ["a string", "hello", 'conversation is "hello"; expected an object'],
    ["an array", [], "conversation is an array; expected an object"],
    ["messages of the wrong type", { messages: {} }, "conversation.messages is an object; expected an array"],
    ["a block without a type", blocks({}), `${FIRST}.type is missing; expected one of "text", "image",`],
    ["a text that is a number", blocks({ type: "text", text: 4 }), `${FIRST}.text is 4; expected a string`],
    ["a missing text", blocks({ type: "text" }), `${FIRST}.text is missing; expected a string`],
    [
      "an unknown lifetime",
      blocks({ type: "text", text: "", cache: { ttl: "2h" } }),
      `.cache.ttl is "2h"; expected one of "5m", "1h"`,
    ],
    [
      "an unknown source",
      blocks({ type: "image", source: { kind: "ftp" } }),
      `.source.kind is "ftp"; expected one of "base64",`,
    ],
    [
      "a boolean that is null",
      blocks({ type: "tool-result", callId: "a", content: [], isError: null }),
      ".isError is null; expected true or false",
    ],
    [
      "an input that is not JSON",
      blocks({ ...makeToolCall(), input: undefined }),
      ".input is missing; expected a JSON value of at most 500 levels",
    ],
    [
      "an extra that is not an object",
      blocks({ type: "text", text: "", extra: [] }),
      ".extra is an array; expected a JSON object of at most 500 levels",
    ],
    [
      "a misspelt field",
      blocks({ type: "text", text: "", txet: "" }),
      `${FIRST} has unknown fields "txet"; remove them, or move them under "extra"`,
    ],
    [
      "a role of another format",
      { messages: [{ role: "tool", blocks: [] }] },
      `"system"; send a tool's result as a tool-result block in a user message`,
    ],
    ["two problems", { messages: 1, tools: 2 }, "conversation.tools is 2; expected an array (and 1 more)"],
    ["a long value", { messages: "m".repeat(1000) }, `is "${"m".repeat(60)}…"; expected`],
  ])("names the path, the value and the fix for %s", (_, value, message) => {
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

it("rejects a conversation without messages", () => {
  expect(() => requireMessages([])).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", status: 400, message: "Conversation has no messages" }),
  );
  expect(() => requireMessages([makeUser()])).not.toThrow();
});

it.each([0, -1, Number.NaN])("rejects a context limit of %d tokens", (tokens) => {
  expect(() => requireContextLimit(tokens)).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", status: 400, message: "Context limit must be positive" }),
  );
});

it("accepts a context limit of one token", () => {
  expect(() => requireContextLimit(1)).not.toThrow();
});

const schema = z.strictObject({ list: z.array(z.strictObject({ size: z.number() })) });

it("names the path, the value found and the value expected", () => {
  expect(described({ list: [{ size: 1 }, { size: "large" }] })).toBe(
    'conversation.list[1].size is "large"; expected a number',
  );
});

it("counts the problems that it does not describe", () => {
  expect(described({ list: [{}, {}, {}] })).toBe(
    "conversation.list[0].size is missing; expected a number (and 2 more)",
  );
});

it("names every unknown field of one object", () => {
  expect(described({ list: [], a: 1, b: 2 })).toContain('conversation has unknown fields "a", "b"');
});

it("returns a generic message for no issues", () => {
  expect(describeIssues([], {})).toBe("the conversation is malformed");
});

function described(value: unknown): string {
  return describeIssues(schema.safeParse(value).error?.issues ?? [], value);
}
