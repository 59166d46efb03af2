import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeChatRequest } from "../testing/make.ts";
import { checkRequest, maxTokensOf } from "./check-request.ts";

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
