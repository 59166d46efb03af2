import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { anyBase64, anyPath, anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { anyJsonSchema } from "./any-json-schema.ts";

/** A request body for the Responses API, in every form that the API accepts. */
export function anyResponsesBody(): fc.Arbitrary<JsonObject> {
  const items = fc
    .tuple(
      fc.array(fc.oneof(anySystem(), anyToolsItem()), { maxLength: 2 }),
      fc.array(anyExchange(), { minLength: 1, maxLength: 4 }),
      anyUser(),
    )
    .map(([system, exchanges, last]): JsonValue => [...system, ...numberCalls(exchanges).flat(), last]);
  return fc.record(
    {
      model: fc.constant("gpt-6"),
      input: fc.oneof<fc.WeightedArbitrary<JsonValue>[]>(
        { weight: 1, arbitrary: anyText() },
        { weight: 6, arbitrary: items },
      ),
      instructions: fc.oneof<fc.Arbitrary<JsonValue>[]>(anyText(), fc.constant(null)),
      max_output_tokens: fc.constantFrom(16, null),
      tools: fc.array(anyTool(), { minLength: 1, maxLength: 3 }),
      stream: fc.boolean(),
      temperature: fc.constantFrom(0, 1.5, null),
      top_p: fc.constant(0.9),
      parallel_tool_calls: fc.boolean(),
      reasoning: fc.constantFrom<JsonObject>(
        {},
        { effort: "high" },
        { effort: "none", summary: "auto", context: "auto" },
      ),
      text: fc.constantFrom<JsonObject>(
        { verbosity: "low" },
        { format: { type: "text" } },
        { format: { type: "json_schema", name: "x", schema: { type: "object" }, description: "d" }, verbosity: "low" },
      ),
      store: fc.constant(false),
      include: fc.constant(["reasoning.encrypted_content"]),
      prompt_cache_key: fc.constant("k"),
      client_metadata: fc.constant({ a: "b" }),
      safety_identifier: fc.constant("hash"),
      context_management: fc.constant([{ type: "compaction", compact_threshold: 1000 }]),
    },
    { requiredKeys: ["model", "input"] },
  );
}

function anySystem(): fc.Arbitrary<JsonObject> {
  const content = fc.oneof<fc.Arbitrary<JsonValue>[]>(
    anyText(),
    anyText().map((text) => [{ type: "input_text", text }]),
  );
  return fc
    .tuple(fc.constantFrom("system", "developer"), content, fc.constantFrom({}, { type: "message" }))
    .map(([role, content, type]) => ({ ...type, role, content }));
}

/** Tools in the form in which Codex sends them to newer models. */
function anyToolsItem(): fc.Arbitrary<JsonObject> {
  return fc.array(anyTool(), { maxLength: 3 }).map((tools) => ({ type: "additional_tools", role: "developer", tools }));
}

function anyTool(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    fc.array(anySingleTool(), { maxLength: 3 }).map((tools) => {
      return { type: "namespace", name: "notes", description: "About notes.", tools };
    }),
    anySingleTool(),
  );
}

function anySingleTool(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyJsonSchema().map((parameters) => ({
      type: "function",
      name: "read_file",
      description: "Reads.",
      parameters,
      strict: null,
    })),
    fc.constant({
      type: "custom",
      name: "patch",
      format: { type: "grammar", syntax: "lark", definition: "start: /a/" },
    }),
    fc.constant({ type: "web_search", external_web_access: true }),
    fc.constant({ type: "mcp", server_label: "notes", server_url: "https://mcp.example" }),
  );
}

function anyUser(): fc.Arbitrary<JsonObject> {
  const part = fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyText().map((text) => ({ type: "input_text", text })),
    anyBase64().map((data) => ({ type: "input_image", image_url: `data:image/png;base64,${data}`, detail: "low" })),
    fc.constant({ type: "input_image", file_id: "file-1", detail: "auto" }),
    anyBase64().map((data) => ({
      type: "input_file",
      filename: "a.pdf",
      file_data: `data:application/pdf;base64,${data}`,
    })),
    fc.constant({ type: "input_file", file_url: "https://files.example/a.pdf" }),
    fc.constant({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }),
  );
  const content = fc.oneof<fc.Arbitrary<JsonValue>[]>(anyText(), fc.array(part, { minLength: 1, maxLength: 3 }));
  return fc
    .tuple(content, fc.constantFrom({}, { type: "message" }))
    .map(([content, type]) => ({ ...type, role: "user", content }));
}

function anyExchange(): fc.Arbitrary<JsonObject[]> {
  const result = fc.oneof<fc.Arbitrary<JsonValue>[]>(
    fc.constant(""),
    anyText(),
    fc.tuple(anyText(), anyBase64()).map(([text, data]) => [
      { type: "input_text", text },
      { type: "input_image", image_url: `data:image/png;base64,${data}`, detail: "auto" },
    ]),
  );
  const call = fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyPath().map((path) => ({
      type: "function_call",
      name: "read_file",
      arguments: `{"path": "${path}"}`,
      id: "fc_1",
    })),
    fc.constant({ type: "function_call", name: "read_file", arguments: '{"path": ', status: "completed" }),
    anyText().map((input) => ({ type: "custom_tool_call", name: "patch", input })),
    anyText().map((input) => ({ type: "custom_tool_call", name: "patch", namespace: "notes", input })),
    fc.constant({ type: "function_call", name: "read_file", namespace: "notes", arguments: "{}" }),
  );
  return fc
    .record({
      question: anyUser(),
      note: fc.option(anySystem(), { nil: undefined, freq: 4 }),
      thoughts: fc.array(anyReasoning(), { maxLength: 1 }),
      text: fc.option(anyAnswer(), { nil: undefined }),
      others: fc.array(anyOtherItem(), { maxLength: 1 }),
      calls: fc.array(fc.tuple(call, result), { maxLength: 3 }),
    })
    .map(({ question, note, thoughts, text, others, calls }) => [
      question,
      ...(note === undefined ? [] : [note]),
      ...thoughts,
      ...(text === undefined ? [] : [text]),
      ...others,
      ...calls.map(([made]) => made),
      ...calls.map(([made, output]): JsonObject => ({ type: `${made.type}_output`, call_id: "", output })),
    ]);
}

function anyReasoning(): fc.Arbitrary<JsonObject> {
  return fc.tuple(fc.array(anyText(), { maxLength: 2 }), anyBase64()).map(([texts, encrypted_content]) => ({
    type: "reasoning",
    id: "rs_1",
    summary: texts.map((text) => ({ type: "summary_text", text })),
    encrypted_content,
  }));
}

function anyAnswer(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyText().map((content) => ({ role: "assistant", content })),
    anyText().map((text) => ({
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      phase: "commentary",
      content: [{ type: "output_text", text, annotations: [] }],
    })),
  );
}

function anyOtherItem(): fc.Arbitrary<JsonObject> {
  return fc.constantFrom<JsonObject>(
    { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } },
    { type: "compaction", id: "cmp_1", encrypted_content: "AAAA" },
    { type: "item_reference", id: "msg_0" },
  );
}

/** Gives each call and its result a unique id. */
function numberCalls(exchanges: readonly JsonObject[][]): JsonObject[][] {
  let serial = 0;
  return exchanges.map((items) => {
    let answered = serial;
    return items.map((item) => {
      if (/_call$/.test(`${item.type}`) && item.name !== undefined) return { ...item, call_id: `call_${serial++}` };
      return /_output$/.test(`${item.type}`) ? { ...item, call_id: `call_${answered++}` } : item;
    });
  });
}
