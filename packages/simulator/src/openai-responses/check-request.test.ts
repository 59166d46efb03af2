import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeResponsesRequest } from "../testing/make.ts";
import { checkRequest, mustCall } from "./check-request.ts";

const check = (body: JsonObject) => () => checkRequest(makeResponsesRequest(body));

it.each<[string, JsonObject]>([
  ["a plain request", {}],
  [
    "everything in order",
    {
      tools: [{ type: "function", name: "read", parameters: {} }, { type: "web_search" }],
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 100,
      context_management: [{ type: "compaction", compact_threshold: 1_000 }],
      text: { format: { type: "json_schema", name: "x", schema: {} } },
    },
  ],
])("accepts %s", (_, body) => {
  expect(check(body)).not.toThrow();
});

it.each<[string, JsonObject, string, object]>([
  [
    "an unknown field",
    { messages: [] },
    "Unknown parameter: 'messages'.",
    { param: "messages", code: "unknown_parameter" },
  ],
  [
    "hardly any output",
    { max_output_tokens: 15 },
    "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead.",
    { param: "max_output_tokens", code: "integer_below_min_value" },
  ],
  [
    "more than the model can say",
    { max_output_tokens: 128_001 },
    "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 128000, but got 128001 instead.",
    { param: "max_output_tokens", code: "integer_above_max_value" },
  ],
  [
    "a tool without a type",
    { tools: [{ name: "x" }] },
    "Missing required parameter: 'tools[0].type'.",
    { param: "tools[0].type", code: "missing_required_parameter" },
  ],
  [
    "a tool in the form of chat",
    { tools: [{ type: "function", function: { name: "x" } }] },
    "Missing required parameter: 'tools[0].name'.",
    { param: "tools[0].name", code: "missing_required_parameter" },
  ],
  [
    "a tool without a name in a namespace that the input brings",
    {
      input: [
        { type: "additional_tools", tools: [{ type: "namespace", name: "n", tools: [{ type: "function" }] }] },
        { role: "user", content: "go" },
      ],
    },
    "Missing required parameter: 'input[0].tools[0].tools[0].name'.",
    { param: "input[0].tools[0].tools[0].name", code: "missing_required_parameter" },
  ],
  [
    "a strict tool that is open",
    { tools: [{ type: "function", name: "x", strict: true, parameters: { type: "object" } }] },
    "Invalid schema for function 'x': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    { code: "invalid_function_parameters" },
  ],
  [
    "a strict format that is open",
    { text: { format: { type: "json_schema", name: "x", strict: true, schema: { type: "object" } } } },
    "Invalid schema for response_format 'x': In context=(), 'additionalProperties' is required to be supplied and to be false.",
    { code: "invalid_function_parameters" },
  ],
  [
    "encrypted reasoning of a model that does not reason",
    { model: "gpt-4o", include: ["reasoning.encrypted_content"] },
    "Encrypted content is not supported with this model.",
    { param: "include" },
  ],
  [
    "other context management",
    { context_management: [{ type: "clear" }] },
    "Invalid value: 'clear'. Supported values are: 'compaction'.",
    { param: "context_management[0].type", code: "invalid_value" },
  ],
])("rejects %s", (_, body, message, details) => {
  expect(check(body)).toThrow(expect.objectContaining({ status: 400, message, details }));
});

it("rejects unknown tools", () => {
  expect(check({ tools: [{ type: "hammer" }] })).toThrow(
    /^Invalid value: 'hammer'\. Supported values are: 'function', 'custom', 'web_search'/,
  );
});

it("reads the tool choice", () => {
  expect(mustCall({ tool_choice: "required" })).toBe("any");
  expect(mustCall({ tool_choice: { type: "function", name: "read" } })).toBe("read");
  expect([mustCall({ tool_choice: "auto" }), mustCall({})]).toEqual([undefined, undefined]);
});
