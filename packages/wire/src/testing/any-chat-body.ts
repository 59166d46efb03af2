import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { anyBase64, anyPath, anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { anyJsonSchema } from "./any-json-schema.ts";

/** A request body for chat completions, in every form that servers accept. */
export function anyChatBody(): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(
      fc.record(
        {
          model: fc.constant("gpt-6"),
          max_tokens: fc.constantFrom(16, null),
          max_completion_tokens: fc.constantFrom(32, null),
          tools: fc.array(anyTool(), { minLength: 1, maxLength: 3 }),
          stream: fc.boolean(),
          stream_options: fc.constant({ include_usage: true }),
          temperature: fc.constantFrom(0, 1.5, null),
          top_p: fc.constant(0.9),
          frequency_penalty: fc.constant(0.1),
          presence_penalty: fc.constant(0.2),
          seed: fc.constant(7),
          stop: fc.constantFrom<JsonValue>("END", ["a", "b"], null),
          reasoning_effort: fc.constantFrom("none", "high", null),
          response_format: fc.constantFrom<JsonObject>(
            { type: "text" },
            { type: "json_object" },
            {
              type: "json_schema",
              json_schema: { name: "x", schema: { type: "object" }, strict: true, description: "d" },
            },
          ),
          user: fc.constant("u"),
          safety_identifier: fc.constant("hash"),
          verbosity: fc.constant("low"),
          n: fc.constant(1),
        },
        { requiredKeys: ["model"] },
      ),
      fc.array(anySystem(), { maxLength: 2 }),
      fc.array(anyExchange(), { minLength: 1, maxLength: 4 }),
      anyUser(),
    )
    .map(([fields, system, exchanges, last]) => ({
      ...fields,
      messages: [...system, ...numberCalls(exchanges).flat(), last],
    }));
}

function anySystem(): fc.Arbitrary<JsonObject> {
  const content = fc.oneof<fc.Arbitrary<JsonValue>[]>(
    anyText(),
    anyText().map((text) => [{ type: "text", text }]),
  );
  return fc.tuple(fc.constantFrom("system", "developer"), content).map(([role, content]) => ({ role, content }));
}

function anyTool(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyJsonSchema().map((parameters) => ({
      type: "function",
      function: { name: "read_file", description: "Reads.", parameters, strict: false },
    })),
    fc.constant({ type: "function", function: { name: "now" } }),
    fc.constant({ type: "custom", custom: { name: "patch", format: { type: "text" } } }),
    fc.constant({ type: "web_search" }),
  );
}

function anyUser(): fc.Arbitrary<JsonObject> {
  const part = fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyText().map((text) => ({ type: "text", text })),
    anyBase64().map((data) => ({
      type: "image_url",
      image_url: { url: `data:image/png;base64,${data}`, detail: "low" },
    })),
    fc.constant({ type: "image_url", image_url: { url: "https://files.example/1.png" } }),
    anyBase64().map((data) => ({
      type: "file",
      file: { filename: "plan.pdf", file_data: `data:application/pdf;base64,${data}` },
    })),
    fc.constant({ type: "file", file: { file_id: "file-1" } }),
    anyBase64().map((data) => ({ type: "input_audio", input_audio: { data, format: "wav" } })),
  );
  const content = fc.oneof<fc.Arbitrary<JsonValue>[]>(anyText(), fc.array(part, { minLength: 1, maxLength: 3 }));
  return fc
    .tuple(content, fc.constantFrom({}, { name: "ada" }))
    .map(([content, extra]) => ({ role: "user", content, ...extra }));
}

function anyExchange(): fc.Arbitrary<JsonObject[]> {
  const result = fc.oneof<fc.Arbitrary<JsonValue>[]>(
    fc.constantFrom("", "done"),
    anyText(),
    anyText().map((text) => [{ type: "text", text }]),
  );
  const call = fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyPath().map((path) => ({ type: "function", function: { name: "read_file", arguments: `{"path": "${path}"}` } })),
    fc.constant({ type: "function", function: { name: "read_file", arguments: '{"path": ' } }),
    fc.constant({ type: "function", function: { name: "now", arguments: "" } }),
    anyText().map((input) => ({ type: "custom", custom: { name: "patch", input } })),
  );
  return fc
    .record({
      question: anyUser(),
      note: fc.option(anySystem(), { nil: undefined, freq: 4 }),
      text: fc.oneof<fc.Arbitrary<JsonValue>[]>(fc.constantFrom(null, ""), anyText()),
      thinking: anyThinking(),
      calls: fc.array(fc.tuple(call, result), { maxLength: 3 }),
    })
    .map(({ question, note, text, thinking, calls }) => [
      question,
      ...(note === undefined ? [] : [note]),
      {
        role: "assistant",
        content: calls.length === 0 && (text === null || text === "") ? "Yes." : text,
        ...thinking,
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(([made]) => made) }),
      },
      ...calls.map(([, content]): JsonObject => ({ role: "tool", tool_call_id: "", content })),
    ]);
}

function anyThinking(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    fc.constant({}),
    anyText().map((text) => ({ reasoning_content: text })),
    anyText().map((text) => ({ reasoning: text, refusal: null })),
    fc.tuple(anyText(), anyBase64()).map(([text, data]) => ({
      reasoning: text,
      reasoning_details: [
        { type: "reasoning.text", text, signature: data, format: "anthropic-claude-v1", index: 0 },
        { type: "reasoning.encrypted", data, format: "anthropic-claude-v1", id: "r1", index: 1 },
      ],
    })),
  );
}

/** Gives each call and its result a unique id. */
function numberCalls(exchanges: readonly JsonObject[][]): JsonObject[][] {
  let serial = 0;
  return exchanges.map((messages) => {
    let answered = serial;
    return messages.map((message) => {
      if (message.role === "tool") return { ...message, tool_call_id: `call_${answered++}` };
      if (!Array.isArray(message.tool_calls)) return message;
      return {
        ...message,
        tool_calls: message.tool_calls.map((call: JsonObject) => ({ id: `call_${serial++}`, ...call })),
      };
    });
  });
}
