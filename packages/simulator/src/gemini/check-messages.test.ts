import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make.ts";
import { checkMessages, checkPairs } from "./check-messages.ts";
import type { GeminiRequest } from "./request.ts";

const check =
  (contents: readonly JsonObject[], parts: Partial<GeminiRequest> = {}) =>
  () =>
    checkMessages(makeGeminiRequest({ contents }, parts));
const one = (...parts: JsonObject[]) => [{ role: "user", parts }];
const image = { mimeType: "image/png", data: "AA==" };

it.each([
  [[{ role: "assistant", parts: [{ text: "a" }] }], "Please use a valid role: user, model."],
  [
    [{ role: "system", parts: [{ text: "a" }] }],
    "Content with system role is not supported. Please use a valid role: user, model.",
  ],
  [one(), "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty."],
  [
    one({ text: "a" }, { thought: true }),
    "* GenerateContentRequest.contents[0].parts[1].data: required oneof field 'data' must have one initialized field",
  ],
  [
    one({ text: "a", inlineData: image }),
    "Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'inlineData'",
  ],
  [one({ functionCall: { name: "" } }), "parts[0].function_call.name: Name cannot be empty."],
  [one({ functionResponse: {} }), "parts[0].function_response.name: Name cannot be empty."],
  [one({ inlineData: { mimeType: "application/zip", data: "" } }), "Unsupported MIME type: application/zip"],
  [one({ functionResponse: { name: "f" } }), "Please ensure that function response turn"],
])("rejects %#", (contents, message) => {
  expect(check(contents)).toThrow(message);
});

it("rejects images if the model does not support them, also in results", () => {
  const model = geminiModel("gemini-pro");
  const result = { functionResponse: { name: "f", parts: [{ inlineData: image }] } };
  const message = "Image input modality is not enabled for models/gemini-pro";
  expect(check(one({ inlineData: image }), { model })).toThrow(message);
  expect(check(one(result), { model })).toThrow(message);
  expect(check(one({ inlineData: image }))).not.toThrow();
});

it("accepts files by URI without a type", () => {
  expect(check(one({ fileData: { fileUri: "https://files/1" } }))).not.toThrow();
});

it("rejects an empty system instruction", () => {
  const request = makeGeminiRequest({ systemInstruction: { parts: [{ text: "be" }, {}] } });
  expect(() => checkMessages(request)).toThrow("system_instruction.parts[1].data: required oneof field");
});

describe("platform differences", () => {
  it("requires a role only on Vertex", () => {
    const contents = [{ parts: [{ text: "a" }] }];
    expect(check(contents)).not.toThrow();
    expect(check(contents, { api: "vertex-gemini" })).toThrow("Please use a valid role: user, model.");
  });

  it("requires text in text parts only on Vertex, unless they have a signature", () => {
    expect(check(one({ text: "" }))).not.toThrow();
    expect(check(one({ text: "" }), { api: "vertex-gemini" })).toThrow("it must have a text parameter");
    expect(check(one({ text: "", thoughtSignature: "AA==" }), { api: "vertex-gemini" })).not.toThrow();
  });
});

describe("checkPairs", () => {
  const user = (text = "q"): JsonObject => ({ role: "user", parts: [{ text }] });
  const model = (text = "a"): JsonObject => ({ role: "model", parts: [{ text }] });
  const calls = (...names: string[]): JsonObject => ({
    role: "model",
    parts: names.map((name) => ({ functionCall: { name } })),
  });
  const results = (...names: string[]): JsonObject => ({
    role: "user",
    parts: names.map((name) => ({ functionResponse: { name } })),
  });

  const AFTER_CALL = "Please ensure that function response turn comes immediately after a function call turn.";
  const AFTER_USER =
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
  const EQUAL =
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

  it.each([
    ["a result without a call", [user(), results("f")], AFTER_CALL],
    ["a result at the front", [results("f")], AFTER_CALL],
    ["a result after a model's words", [user(), model(), results("f")], AFTER_CALL],
    ["a call at the front", [calls("f"), results("f")], AFTER_USER],
    ["a call after a model's words", [user(), model(), calls("f"), results("f")], AFTER_USER],
    ["a call without a result", [user(), calls("f"), user()], EQUAL],
    ["a call at the end", [user(), calls("f")], EQUAL],
    ["fewer results than calls", [user(), calls("f", "g"), results("f")], EQUAL],
    ["more results than calls", [user(), calls("f"), results("f", "g")], EQUAL],
    ["results in two contents", [user(), calls("f", "g"), results("f"), results("g")], EQUAL],
  ])("rejects %s", (_, contents, message) => {
    expect(() => checkPairs(contents)).toThrow(message);
  });

  it("accepts calls with their results step by step, and text beside them", () => {
    const beside = { role: "user", parts: [{ functionResponse: { name: "g" } }, { text: "and" }] };
    expect(() =>
      checkPairs([user(), user(), calls("f", "g"), results("f", "g"), calls("g"), beside, model(), model()]),
    ).not.toThrow();
  });
});
