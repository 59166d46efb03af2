import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make-gemini-request.ts";
import { checkMessages } from "./check-messages.ts";
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
])("refuses %#", (contents, message) => {
  expect(check(contents)).toThrow(message);
});

it("refuses images where the model can't see, in results too", () => {
  const model = geminiModel("gemini-pro");
  const result = { functionResponse: { name: "f", parts: [{ inlineData: image }] } };
  const message = "Image input modality is not enabled for models/gemini-pro";
  expect(check(one({ inlineData: image }), { model })).toThrow(message);
  expect(check(one(result), { model })).toThrow(message);
  expect(check(one({ inlineData: image }))).not.toThrow();
});

it("takes files by their address without a type", () => {
  expect(check(one({ fileData: { fileUri: "https://files/1" } }))).not.toThrow();
});

it("refuses a system instruction that says nothing", () => {
  const request = makeGeminiRequest({ systemInstruction: { parts: [{ text: "be" }, {}] } });
  expect(() => checkMessages(request)).toThrow("system_instruction.parts[1].data: required oneof field");
});

describe("where the platforms differ", () => {
  it("needs a role on Vertex alone", () => {
    const contents = [{ parts: [{ text: "a" }] }];
    expect(check(contents)).not.toThrow();
    expect(check(contents, { api: "vertex-gemini" })).toThrow("Please use a valid role: user, model.");
  });

  it("needs text in texts on Vertex alone, unless they bring a signature", () => {
    expect(check(one({ text: "" }))).not.toThrow();
    expect(check(one({ text: "" }), { api: "vertex-gemini" })).toThrow("it must have a text parameter");
    expect(check(one({ text: "", thoughtSignature: "AA==" }), { api: "vertex-gemini" })).not.toThrow();
  });
});
