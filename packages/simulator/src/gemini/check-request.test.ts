import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make.ts";
import { checkRequest, checkSchema, checkThinking, checkTools, maxTokensOf } from "./check-request.ts";

const check =
  (body: JsonObject, model = "gemini-3.5-flash") =>
  () =>
    checkRequest(makeGeminiRequest(body, { model: geminiModel(model) }));
const config = (generationConfig: JsonObject) => ({ generationConfig });
const tools = [{ functionDeclarations: [{ name: "f" }] }];

it.each([
  [{ contents: [] }, "* GenerateContentRequest.contents: contents is not specified"],
  [config({ maxOutputTokens: 0 }), "max_output_tokens must be positive"],
  [
    config({ maxOutputTokens: 65_537 }),
    "Unable to submit request because it has a maxOutputTokens value of 65537 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.",
  ],
  [config({ candidateCount: 2 }), "Multiple candidates is not enabled for this model"],
  [config({ stopSequences: [..."abcdef"] }), "only up to 5 stop sequences are allowed"],
  [config({ temperature: 2.1 }), "temperature must be in the range [0.0, 2.0]"],
  [config({ topP: 1.1 }), "top_p must be in the range [0.0, 1.0]"],
  [config({ responseSchema: {} }), "Response_schema with a response mime type 'text/plain' is unsupported"],
  [
    config({ responseMimeType: "application/json", responseSchema: {}, responseJsonSchema: {} }),
    "response_schema and response_json_schema cannot both be set",
  ],
  [
    config({ responseMimeType: "application/json", responseSchema: { type: "ARRAY" } }),
    "* GenerateContentRequest.generation_config.response_schema.items: missing field.",
  ],
  [config({ thinkingConfig: { thinkingBudget: 0 } }), "Budget 0 is invalid."],
  [{ tools: [{}] }, "required one_of 'tool_type'"],
])("rejects %o", (body, message) => {
  expect(check(body)).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining(message) }));
});

it("has no cached contents", () => {
  expect(check({ cachedContent: "cachedContents/1" })).toThrow(expect.objectContaining({ status: 403 }));
});

it("accepts functions together with JSON only since Gemini 3", () => {
  const body = { tools, ...config({ responseMimeType: "application/json" }) };
  expect(check(body)).not.toThrow();
  expect(check(body, "gemini-2.5-flash")).toThrow(
    "Function calling with a response mime type: 'application/json' is unsupported",
  );
});

it("limits the reply to the requested size, else to the model's", () => {
  expect(maxTokensOf(makeGeminiRequest(config({ maxOutputTokens: 9 })))).toBe(9);
  expect(maxTokensOf(makeGeminiRequest())).toBe(65_536);
});

describe("checkThinking", () => {
  const check = (model: string, thinkingConfig: object) => () =>
    checkThinking(makeGeminiRequest({ generationConfig: { thinkingConfig } }, { model: geminiModel(model) }));

  it.each([
    [
      "gemini-3.5-flash",
      { thinkingBudget: 9, thinkingLevel: "LOW" },
      "You can only set only one of thinking budget and thinking level.",
    ],
    ["gemini-2.5-flash", { thinkingLevel: "LOW" }, "Thinking level is not supported for this model."],
    [
      "gemini-3.7-flash",
      { thinkingLevel: "MINIMAL" },
      "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
    ],
    ["gemini-2.5-pro", { thinkingBudget: 0 }, "Budget 0 is invalid. This model only works in thinking mode."],
    ["gemini-3.6-flash", { thinkingBudget: 0 }, "Budget 0 is invalid. This model only works in thinking mode."],
    [
      "gemini-2.5-pro",
      { thinkingBudget: 127 },
      "The thinking budget 127 is invalid. Please choose a value between 128 and 32768.",
    ],
    [
      "gemini-2.5-flash",
      { thinkingBudget: 24_577 },
      "The thinking budget 24577 is invalid. Please choose a value between 1 and 24576.",
    ],
    ["gemini-2.0-flash", { thinkingBudget: 9 }, "Thinking is not supported for this model."],
    [
      "gemini-2.5-flash",
      { thinkingBudget: 0, includeThoughts: true },
      "Thinking_config.include_thoughts is only enabled when thinking is enabled.",
    ],
  ])("rejects %s with %o", (model, config, message) => {
    expect(check(model, config)).toThrow(message);
  });

  it.each([
    ["gemini-2.5-flash", { thinkingBudget: 0 }],
    ["gemini-2.5-flash", { thinkingBudget: -1, includeThoughts: true }],
    ["gemini-2.5-flash", { thinkingBudget: 24_576 }],
    ["gemini-2.0-flash", { thinkingBudget: 0 }],
    ["gemini-3.6-flash", { thinkingBudget: 512 }],
    ["gemini-3.6-flash", { thinkingLevel: "MINIMAL", includeThoughts: true }],
    ["gemini-4-argon", { thinkingLevel: "HIGH" }],
    ["gemini-4-argon", {}],
  ])("accepts %s with %o", (model, config) => {
    expect(check(model, config)).not.toThrow();
  });
});

describe("checkTools", () => {
  const declared = (...functionDeclarations: JsonObject[]) => ({ tools: [{ functionDeclarations }] });
  const choose = (functionCallingConfig: JsonObject) => ({ toolConfig: { functionCallingConfig } });
  const check = (body: JsonObject) => () => checkTools(makeGeminiRequest(body));
  const first = "* GenerateContentRequest.tools[0].function_declarations[0]";

  it.each([
    [
      declared(),
      "* GenerateContentRequest.tools[0].tool_type: required one_of 'tool_type' must have one initialized field",
    ],
    [declared({ name: "1st" }), `${first}.name: Invalid function name. Must start with a letter or an underscore.`],
    [declared({ name: "a".repeat(129) }), `${first}.name: Invalid function name.`],
    [declared({ name: "f" }, { name: "f" }), "Duplicate function declaration found: f"],
    [
      declared({ name: "f", parameters: { type: "OBJECT" } }),
      `${first}.parameters.properties: should be non-empty for OBJECT type`,
    ],
    [declared({ name: "f", response: { type: "ARRAY" } }), `${first}.response.items: missing field.`],
    [
      declared({ name: "f", parameters: { type: "STRING" }, parametersJsonSchema: {} }),
      "parameters and parameters_json_schema cannot both be set",
    ],
    [
      { ...declared({ name: "f" }), ...choose({ mode: "AUTO", allowedFunctionNames: ["f"] }) },
      "allowed_function_names: only allowed when the function calling mode is ANY or VALIDATED",
    ],
    [
      { ...declared({ name: "f" }), ...choose({ mode: "ANY", allowedFunctionNames: ["g"] }) },
      "allowed_function_names: 'g' is not among the function declarations",
    ],
    [choose({ mode: "ANY" }), "Function calling config is set without function_declarations"],
    [
      declared(...Array.from({ length: 513 }, (_, at) => ({ name: `f${at}` }))),
      "at most 512 function declarations can be provided",
    ],
  ])("rejects %#", (body, message) => {
    expect(check(body)).toThrow(message);
  });

  it("accepts functions in either kind of schema, and Google's own tools", () => {
    const tools = [
      {
        functionDeclarations: [
          { name: "a.b:c-d", parametersJsonSchema: { type: "object", additionalProperties: false } },
          { name: "_e", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } },
        ],
      },
      { googleSearch: {} },
    ];
    expect(check({ tools, ...choose({ mode: "ANY", allowedFunctionNames: ["_e"] }) })).not.toThrow();
    expect(check({})).not.toThrow();
  });
});

describe("checkSchema", () => {
  const fields = (...names: readonly [string, object][]) => ({ type: "OBJECT", properties: Object.fromEntries(names) });

  it.each([
    [{ type: "OBJECT" }, "* p.properties: should be non-empty for OBJECT type\n"],
    [{ type: "ARRAY" }, "* p.items: missing field.\n"],
    [fields(["a", { type: "ARRAY" }]), "* p.properties[a].items: missing field.\n"],
    [{ type: "ARRAY", items: { type: "OBJECT" } }, "* p.items.properties: should be non-empty for OBJECT type\n"],
    [{ anyOf: [{ type: "STRING" }, { type: "ARRAY" }] }, "* p.any_of[1].items: missing field.\n"],
  ])("rejects %o", (schema, message) => {
    expect(() => checkSchema(schema, "p")).toThrow(message);
  });

  it("accepts complete schemas", () => {
    expect(() =>
      checkSchema(fields(["a", { type: "STRING" }], ["b", { type: "ARRAY", items: { type: "NUMBER" } }]), "p"),
    ).not.toThrow();
    expect(() => checkSchema({ type: "OBJECT", anyOf: [{ type: "STRING" }] }, "p")).not.toThrow();
  });
});
