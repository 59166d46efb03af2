import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeChatRequest } from "../testing/make.ts";
import { checkMessages } from "./check-messages.ts";

const check =
  (messages: unknown, model = "gpt-4o") =>
  () =>
    checkMessages(makeChatRequest({ messages, model }));
const user = { role: "user", content: "go" };
const call = (id: string, more: JsonObject = {}) => ({
  id,
  type: "function",
  function: { name: "read", arguments: "{}", ...more },
});
const assistant = (...tool_calls: object[]) => ({ role: "assistant", content: null, tool_calls });
const tool = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "text" });

it.each<[string, unknown]>([
  [
    "a tool loop",
    [{ role: "developer", content: "x" }, user, assistant(call("a"), call("b")), tool("b"), tool("a"), user],
  ],
  [
    "parts",
    [
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "image_url", image_url: { url: "x" } },
        ],
      },
    ],
  ],
  ["a refusal without content", [user, { role: "assistant", content: null, refusal: "no" }, user]],
  ["empty texts", [{ role: "user", content: "" }]],
  ["custom calls", [user, assistant({ id: "a", type: "custom", custom: { name: "c", input: "x" } }), tool("a")]],
])("accepts %s", (_, messages) => {
  expect(check(messages)).not.toThrow();
});

const unanswered = (ids: string) =>
  `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`;

it.each<[string, unknown, string, object]>([
  [
    "no messages",
    undefined,
    "Missing required parameter: 'messages'.",
    { param: "messages", code: "missing_required_parameter" },
  ],
  [
    "an empty list",
    [],
    "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    { param: "messages", code: "empty_array" },
  ],
  [
    "an unknown role",
    [{ role: "model", content: "x" }],
    "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    { param: "messages[0].role", code: "invalid_value" },
  ],
  [
    "no content",
    [{ role: "user", content: null }],
    "Invalid value for 'content': expected a string, got null.",
    { param: "messages.[0].content" },
  ],
  [
    "an empty list of calls",
    [user, { role: "assistant", content: "x", tool_calls: [] }],
    "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    { param: "messages[1].tool_calls", code: "empty_array" },
  ],
  [
    "a tool message that no call precedes",
    [user, tool("a")],
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    { param: "messages.[1].role" },
  ],
  [
    "a tool message for another call",
    [user, assistant(call("a")), tool("b")],
    "Invalid parameter: 'tool_call_id' of 'b' not found in 'tool_calls' of previous message.",
    { param: "messages.[2].tool_call_id" },
  ],
  [
    "a tool message without an id",
    [user, assistant(call("a")), { role: "tool", content: "x" }],
    "Missing required parameter: 'messages[2].tool_call_id'.",
    { param: "messages[2].tool_call_id", code: "missing_required_parameter" },
  ],
  [
    "calls without results",
    [user, assistant(call("a"), call("b")), tool("a"), user],
    unanswered("b"),
    { param: "messages.[3].role" },
  ],
  ["calls at the end", [user, assistant(call("a"))], unanswered("a"), { param: "messages.[2].role" }],
  [
    "a long id",
    [user, assistant(call("x".repeat(41)))],
    "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    { param: "messages[1].tool_calls[0].id", code: "string_above_max_length" },
  ],
  [
    "a bad name in a call",
    [user, assistant(call("a", { name: "a b" }))],
    "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    { param: "messages[1].tool_calls[0].function.name", code: "invalid_value" },
  ],
  [
    "arguments that are not text",
    [user, assistant(call("a", { arguments: {} }))],
    "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    { param: "messages[1].tool_calls[0].function.arguments", code: "invalid_type" },
  ],
  [
    "parts that a role does not have",
    [user, assistant(call("a")), { ...tool("a"), content: [{ type: "image_url", image_url: { url: "x" } }] }],
    "Invalid value: 'image_url'. Supported values are: 'text'.",
    { param: "messages[2].content[0]", code: "invalid_value" },
  ],
  [
    "fields of another vendor",
    [{ role: "user", content: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }] }],
    "Unknown parameter: 'messages[0].content[0].cache_control'.",
    { param: "messages[0].content[0].cache_control", code: "unknown_parameter" },
  ],
])("rejects %s", (_, messages, message, details) => {
  expect(check(messages)).toThrow(expect.objectContaining({ status: 400, message, details }));
});

it("rejects images if the model does not support them", () => {
  const messages = [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }];
  expect(check(messages, "gpt-3.5-turbo")).toThrow(
    "Invalid content type. image_url is only supported by certain models.",
  );
});
