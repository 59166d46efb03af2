import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { checkTools } from "./check-tools.ts";

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
])("refuses %#", (body, message) => {
  expect(check(body)).toThrow(message);
});

it("takes functions in either kind of schema, and tools that Google runs", () => {
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
