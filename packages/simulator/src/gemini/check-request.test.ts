import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { checkRequest, maxTokensOf } from "./check-request.ts";

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
])("refuses %o", (body, message) => {
  expect(check(body)).toThrow(expect.objectContaining({ status: 400, message: expect.stringContaining(message) }));
});

it("has no cached contents", () => {
  expect(check({ cachedContent: "cachedContents/1" })).toThrow(expect.objectContaining({ status: 403 }));
});

it("takes functions together with JSON only since Gemini 3", () => {
  const body = { tools, ...config({ responseMimeType: "application/json" }) };
  expect(check(body)).not.toThrow();
  expect(check(body, "gemini-2.5-flash")).toThrow(
    "Function calling with a response mime type: 'application/json' is unsupported",
  );
});

it("limits the reply to what is asked for, else to what the model can", () => {
  expect(maxTokensOf(makeGeminiRequest(config({ maxOutputTokens: 9 })))).toBe(9);
  expect(maxTokensOf(makeGeminiRequest())).toBe(65_536);
});
