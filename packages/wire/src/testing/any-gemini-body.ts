import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { anyBase64, anyPath, anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { anyJsonSchema } from "./any-json-schema.ts";

/** A request body for Gemini's API, in every form that the API accepts. */
export function anyGeminiBody(): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(
      fc.record(
        {
          systemInstruction: fc.oneof<fc.Arbitrary<JsonObject>[]>(
            anyText().map((text) => ({ parts: [{ text }] })),
            fc
              .tuple(anyText(), anyText())
              .map(([one, two]) => ({ role: "user", parts: [{ text: one }, { text: two }] })),
          ),
          tools: fc.array(anyTools(), { minLength: 1, maxLength: 3 }),
          toolConfig: anyToolConfig(),
          generationConfig: anyGenerationConfig(),
          safetySettings: fc.constant([{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }]),
          cachedContent: fc.constant("cachedContents/1"),
          labels: fc.constant({ team_name: "core" }),
          serviceTier: fc.constant("flex"),
        },
        { requiredKeys: ["tools"] },
      ),
      fc.array(anyExchange(), { minLength: 1, maxLength: 4 }),
      anyUserContent(),
    )
    .map(([fields, exchanges, last]) => ({ ...fields, contents: [...exchanges.flat(), last] }));
}

function anyTools(): fc.Arbitrary<JsonObject> {
  const parameters = {
    type: "OBJECT",
    properties: { path: { type: "STRING", nullable: true, maxLength: "200" } },
    propertyOrdering: ["path"],
  };
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyJsonSchema().map((schema) => ({
      functionDeclarations: [
        { name: "read_file", description: "Reads.", parametersJsonSchema: schema, behavior: "BLOCKING" },
        { name: "now" },
      ],
    })),
    fc.constant({ function_declarations: [{ name: "list.files:all", parameters }] }),
    fc.constant({ functionDeclarations: [{ name: "plain", parameters }], googleSearch: {} }),
    fc.constant({ url_context: {} }),
    fc.constant({ codeExecution: {} }),
  );
}

function anyToolConfig(): fc.Arbitrary<JsonObject> {
  return fc.constantFrom<JsonObject>(
    { functionCallingConfig: { mode: "AUTO" } },
    { functionCallingConfig: { mode: "NONE" }, retrievalConfig: { languageCode: "de" } },
    { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["a", "b"] } },
    { functionCallingConfig: { mode: "VALIDATED" } },
    { retrievalConfig: { languageCode: "de" } },
    {},
  );
}

function anyGenerationConfig(): fc.Arbitrary<JsonObject> {
  const schema = { type: "OBJECT", properties: { answer: { type: "STRING" } } };
  const format = fc.constantFrom<JsonObject>(
    {},
    { responseMimeType: "text/plain" },
    { responseMimeType: "application/json" },
    { responseMimeType: "application/json", responseSchema: schema },
    { responseMimeType: "application/json", responseJsonSchema: { type: "object", additionalProperties: false } },
    { responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["yes", "no"] } },
  );
  const fields = fc.record(
    {
      maxOutputTokens: fc.integer({ min: 1, max: 64_000 }),
      temperature: fc.constantFrom(0, 0.5, 2, null),
      topP: fc.constantFrom(0.95, 1),
      topK: fc.constant(40),
      seed: fc.constant(7),
      presencePenalty: fc.constant(0.1),
      frequencyPenalty: fc.constant(-0.1),
      stopSequences: fc.array(fc.constantFrom("END", "STOP"), { maxLength: 2 }),
      candidateCount: fc.constantFrom(1, 2),
      responseModalities: fc.constant(["TEXT"]),
      thinkingConfig: fc.constantFrom<JsonObject>(
        {},
        { thinkingBudget: 0 },
        { thinkingBudget: -1, includeThoughts: true },
        { includeThoughts: false },
        { thinkingLevel: "LOW", includeThoughts: true },
        { thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" },
        { thinkingLevel: "ENORMOUS" },
      ),
    },
    { requiredKeys: [] },
  );
  return fc.tuple(fields, format).map(([config, shape]) => ({ ...config, ...shape }));
}

function anyUserContent(): fc.Arbitrary<JsonObject> {
  const part = fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyText().map((text) => ({ text })),
    anyText().map((text) => ({ text, partMetadata: { source: "editor" } })),
    anyBase64().map((data) => ({ inlineData: { mimeType: "image/png", data } })),
    anyBase64().map((data) => ({
      inline_data: { mime_type: "application/pdf", data },
      media_resolution: { level: "LOW" },
    })),
    anyBase64().map((data) => ({ inlineData: { mimeType: "audio/wav", data, displayName: "memo" } })),
    fc.constant({ inlineData: { mimeType: "text/plain", data: "R3LDvMOfZQ==" } }),
    fc.constant({ fileData: { mimeType: "image/png", fileUri: "https://files.example/1.png" } }),
    fc.constant({ file_data: { mime_type: "video/mp4", file_uri: "gs://bucket/film" }, videoMetadata: { fps: 2 } }),
    fc.constant({ fileData: { fileUri: "https://generativelanguage.googleapis.com/v1beta/files/1" } }),
  );
  return fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom({ role: "user" }, {}))
    .map(([parts, role]) => ({ ...role, parts }));
}

/** A user message, the model's thoughts, text and calls, and the results. */
function anyExchange(): fc.Arbitrary<JsonObject[]> {
  return fc
    .record({
      question: anyUserContent(),
      text: fc.array(anyModelPart(), { maxLength: 3 }),
      calls: fc.array(fc.tuple(anyPath(), anyResponse(), fc.option(anyBase64(), { nil: undefined })), { maxLength: 3 }),
      hasIds: fc.boolean(),
      role: fc.constantFrom("user", "function"),
    })
    .map(({ question, text, calls, hasIds, role }) => {
      const id = (serial: number) => (hasIds ? { id: `fc-${serial}` } : {});
      const made = calls.map(
        ([path, , signature], serial): JsonObject => ({
          functionCall: { ...id(serial), name: "read_file", args: { path, default: null } },
          ...(signature === undefined ? {} : { thoughtSignature: signature }),
        }),
      );
      const answers = calls.map(
        ([, response], serial): JsonObject => ({
          functionResponse: { ...id(serial), name: "read_file", ...response },
        }),
      );
      const parts = [...text, ...made];
      return [
        question,
        { role: "model", parts: parts.length === 0 ? [{ text: "Yes." }] : parts },
        ...(answers.length === 0 ? [] : [{ role, parts: answers }]),
      ];
    });
}

function anyModelPart(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyText().map((text) => ({ text })),
    fc.tuple(anyText(), anyBase64()).map(([text, signature]) => ({ text, thoughtSignature: signature })),
    anyBase64().map((signature) => ({ text: "", thoughtSignature: signature })),
    anyText().map((text) => ({ text, thought: true })),
    fc
      .tuple(anyText(), anyBase64())
      .map(([text, signature]) => ({ text, thought: true, thought_signature: signature })),
    fc.constant({ executableCode: { language: "PYTHON", code: "print(1)" } }),
    fc.constant({ codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }),
    anyBase64().map((data) => ({ inlineData: { mimeType: "image/png", data }, thought: true })),
  );
}

function anyResponse(): fc.Arbitrary<JsonObject> {
  const response = fc.oneof<fc.Arbitrary<JsonValue>[]>(
    anyText().map((output) => ({ output })),
    anyText().map((error) => ({ error })),
    anyText().map((stdout) => ({ stdout, error: "", exit_code: 0 })),
    fc.constant({}),
  );
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    response.map((text) => ({ response: text })),
    fc.tuple(response, anyBase64()).map(([text, data]) => ({
      response: text,
      parts: [{ inlineData: { mimeType: "image/png", data } }, { inline_data: { mime_type: "video/mp4", data } }],
    })),
    response.map((text) => ({ response: text, scheduling: "SILENT" })),
  );
}
