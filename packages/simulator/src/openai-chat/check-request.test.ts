import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeChatRequest } from "../testing/make.ts";
import { checkMessages, checkRequest, maxTokensOf } from "./check-request.ts";

const check = (body: JsonObject) => () => checkRequest(makeChatRequest(body));
const tool = { type: "function", function: { name: "read", parameters: { type: "object" } } };

it.each<[string, JsonObject]>([
  ["a plain request", {}],
  [
    "tools and a choice",
    {
      tools: [tool, { type: "custom", custom: { name: "c" } }],
      tool_choice: { type: "function", function: { name: "read" } },
    },
  ],
  ["a choice of no tool without tools", { tool_choice: "none" }],
  ["max_tokens on older models", { max_tokens: 100 }],
  ["max_completion_tokens on newer models", { model: "gpt-5", max_completion_tokens: 100, reasoning_effort: "low" }],
  ["JSON mode", { response_format: { type: "json_object" }, messages: [{ role: "user", content: "as JSON" }] }],
])("accepts %s", (_, body) => {
  expect(check(body)).not.toThrow();
});

it.each<[string, JsonObject, string, object]>([
  ["an unknown field", { cache_control: {} }, "Unrecognized request argument supplied: cache_control", {}],
  [
    "max_tokens on newer models",
    { model: "gpt-5", max_tokens: 100 },
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { param: "max_tokens", code: "unsupported_parameter" },
  ],
  [
    "both limits",
    { max_tokens: 1, max_completion_tokens: 1 },
    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    { code: "invalid_parameter_combination" },
  ],
  [
    "no room for a reply",
    { max_tokens: 0 },
    "Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    { param: "max_tokens", code: "integer_below_min_value" },
  ],
  [
    "more than the model can say",
    { max_tokens: 20_000 },
    "max_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.",
    { param: "max_tokens", code: "invalid_value" },
  ],
  [
    "an effort on models that don't reason",
    { reasoning_effort: "low" },
    "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
    { param: "reasoning_effort", code: "unsupported_parameter" },
  ],
  [
    "an empty list of tools",
    { tools: [] },
    "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    { param: "tools", code: "empty_array" },
  ],
  [
    "another kind of tool",
    { tools: [{ type: "web" }] },
    "Invalid value: 'web'. Supported values are: 'function' and 'custom'.",
    { param: "tools[0].type", code: "invalid_value" },
  ],
  [
    "a strict tool that is open",
    { tools: [{ type: "function", function: { ...tool.function, strict: true } }] },
    "Invalid schema for function 'read': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    { code: "invalid_function_parameters" },
  ],
  [
    "a choice without tools",
    { tool_choice: "auto" },
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    { param: "tool_choice" },
  ],
  [
    "a choice that is not there",
    { tools: [tool], tool_choice: { type: "function", function: { name: "write" } } },
    "Invalid value for 'tool_choice': the function 'write' is not among the specified tools.",
    { param: "tool_choice" },
  ],
  [
    "JSON mode without the word",
    { response_format: { type: "json_object" } },
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    { param: "messages" },
  ],
  [
    "a strict format that is open",
    { response_format: { type: "json_schema", json_schema: { name: "x", strict: true, schema: { type: "object" } } } },
    "Invalid schema for response_format 'x': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    { code: "invalid_function_parameters" },
  ],
  [
    "stream options without a stream",
    { stream_options: { include_usage: true } },
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    { param: "stream_options" },
  ],
])("rejects %s", (_, body, message, details) => {
  expect(check(body)).toThrow(
    expect.objectContaining({ status: 400, message, details: details === undefined ? {} : details }),
  );
});

it("reads the limit under either name", () => {
  expect([maxTokensOf({ max_tokens: 5 }), maxTokensOf({ max_completion_tokens: 6 }), maxTokensOf({})]).toEqual([
    5,
    6,
    undefined,
  ]);
});

describe("check messages", () => {
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
});
