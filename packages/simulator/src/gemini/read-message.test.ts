import { describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import { readMessage } from "./read-message.ts";

const read = (body: unknown) => readMessage(body, "GenerateContentRequest");
const refusal = (body: unknown): Rejection => {
  try {
    read(body);
  } catch (error) {
    if (error instanceof Rejection) return error;
  }
  throw new Error("it was not refused");
};
const withSchema = (parameters: unknown) => ({
  tools: [{ functionDeclarations: [{ name: "f", parameters }] }],
});

describe("accepted bodies", () => {
  it("accepts both spellings of names, and single elements for lists", () => {
    expect(
      read({
        contents: { parts: { text: "hi", thought_signature: "AA==" } },
        system_instruction: { parts: [{ text: "be" }] },
        generation_config: { max_output_tokens: "12", thinkingConfig: { thinking_level: "low" } },
      }),
    ).toEqual({
      contents: [{ parts: [{ text: "hi", thoughtSignature: "AA==" }] }],
      systemInstruction: { parts: [{ text: "be" }] },
      generationConfig: { maxOutputTokens: 12, thinkingConfig: { thinkingLevel: "LOW" } },
    });
  });

  it("drops null, and keeps free JSON unchecked", () => {
    expect(
      read({ cachedContent: null, tools: [{ functionDeclarations: [{ parametersJsonSchema: { $ref: "#" } }] }] }),
    ).toEqual({ tools: [{ functionDeclarations: [{ parametersJsonSchema: { $ref: "#" } }] }] });
  });

  it("keeps the names of properties", () => {
    const schema = { type: "object", properties: { file_path: { type: "STRING" } } };
    expect(read(withSchema(schema))).toEqual(
      withSchema({ type: "OBJECT", properties: { file_path: { type: "STRING" } } }),
    );
  });
});

describe("rejected bodies", () => {
  it.each([
    ["no JSON", undefined, "Invalid JSON payload received. Unexpected end of string."],
    ["a list", [], 'Invalid JSON payload received. Unknown name "": Root element must be a message.'],
    [
      "an unknown field",
      { messages: [] },
      'Invalid JSON payload received. Unknown name "messages": Cannot find field.',
    ],
    [
      "a text for a message",
      { systemInstruction: "be" },
      `Invalid value at 'system_instruction' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content), "be"`,
    ],
    ["a wrong scalar", { contents: [{ role: 1, parts: [] }] }, "Invalid value at 'contents[0].role' (TYPE_STRING), 1"],
    [
      "arguments as text",
      { contents: [{ parts: [{ functionCall: { name: "f", args: "{}" } }] }] },
      `Invalid value at 'contents[0].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct), "{}"`,
    ],
    [
      "bytes that are not base64",
      { contents: [{ parts: [{ thoughtSignature: "a b" }] }] },
      `Invalid value at 'contents[0].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for "a b"`,
    ],
    [
      "an unknown value of an enum",
      withSchema({ type: "any" }),
      `Invalid value at 'tools[0].function_declarations[0].parameters.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "any"`,
    ],
    [
      "numbers among names",
      withSchema({ type: "STRING", enum: ["a", 1] }),
      "Invalid value at 'tools[0].function_declarations[0].parameters.enum[1]' (TYPE_STRING), 1",
    ],
    [
      "a text that is not a number",
      { generationConfig: { topK: "many" } },
      `Invalid value at 'generation_config.top_k' (TYPE_DOUBLE), "many"`,
    ],
  ])("names %s", (_, body, message) => {
    expect(refusal(body).message).toBe(message);
    expect(refusal(body).status).toBe(400);
  });

  it.each([
    "$schema",
    "additionalProperties",
    "exclusiveMinimum",
    "propertyNames",
    "uniqueItems",
    "const",
    "multipleOf",
    "patternProperties",
    "$ref",
    "oneOf",
    "allOf",
  ])("rejects %s in parameters", (keyword) => {
    const schema = { type: "object", properties: { a: { type: "string" }, b: { anyOf: [{ [keyword]: 1 }] } } };
    expect(refusal(withSchema(schema)).message).toBe(
      `Invalid JSON payload received. Unknown name "${keyword}" at 'tools[0].function_declarations[0].parameters.properties[1].value.any_of[0]': Cannot find field.`,
    );
  });

  it("rejects a list of types", () => {
    expect(refusal(withSchema({ type: ["string", "null"] })).message).toBe(
      `Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[0].parameters': Proto field is not repeating, cannot start list.`,
    );
  });

  it("reports all errors at once, each with its path", () => {
    const { message, details } = refusal(withSchema({ $schema: "x", items: { const: 1 } }));
    expect(message.split("\n")).toHaveLength(2);
    expect(details.more).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: message.split("\n").map((description, at) => ({
          field: `tools[0].function_declarations[0].parameters${at === 0 ? "" : ".items"}`,
          description,
        })),
      },
    ]);
  });
});
