import type { JsonObject, JsonValue } from "@longhaul/conversation";
import { anyBase64, anyPath, anyText } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { anyJsonSchema } from "./any-json-schema.ts";

/** A request body for Anthropic's API, in every form that the API accepts. */
export function anyAnthropicBody(): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(
      fc.record(
        {
          model: fc.constant("claude-sonnet-5"),
          max_tokens: fc.integer({ min: 1, max: 64_000 }),
          system: fc.oneof<fc.Arbitrary<JsonValue>[]>(
            anyText(),
            fc.array(anyTextPart(), { minLength: 1, maxLength: 2 }),
          ),
          tools: fc.array(anyTool(), { minLength: 1, maxLength: 3 }),
          stream: fc.boolean(),
          temperature: fc.constantFrom(0, 0.5, 1, null),
          top_p: fc.constantFrom(0.9, 1),
          stop_sequences: fc.array(fc.constantFrom("END", "\n\nHuman:"), { maxLength: 2 }),
          metadata: fc.constantFrom<JsonObject>({}, { user_id: '{"session_id":"s"}' }, { user_id: null }),
          thinking: fc.constantFrom<JsonObject>({ type: "disabled" }, { type: "disabled", block_binding: null }),
          output_config: fc.constantFrom<JsonObject>(
            { effort: "high" },
            { effort: null, task_budget: { type: "tokens", total: 9 } },
            { format: { type: "json_schema", schema: { type: "object" } } },
          ),
          context_management: fc.constant({ edits: [{ type: "clear_thinking_20251015", keep: "all" }] }),
          service_tier: fc.constant("auto"),
        },
        { requiredKeys: ["model", "max_tokens"] },
      ),
      fc.array(anyExchange(), { minLength: 1, maxLength: 4 }),
      anyUserMessage(),
    )
    .map(([fields, exchanges, last]) => ({ ...fields, messages: [...numberCalls(exchanges).flat(), last] }));
}

function anyTextPart(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyText().map((text) => ({ type: "text", text })),
    anyText().map((text) => ({ type: "text", text, citations: null })),
  );
}

function anyTool(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyJsonSchema().map((schema) => ({ name: "read_file", description: "Reads.", input_schema: schema, strict: true })),
    anyJsonSchema().map((schema) => ({ type: "custom", name: "plain", input_schema: schema })),
    fc.constant({ type: "web_search_20250305", name: "web_search", max_uses: 3 }),
    fc.constant({ type: "mcp_toolset", mcp_server_name: "notes" }),
  );
}

function anyUserMessage(): fc.Arbitrary<JsonObject> {
  const part = fc.oneof<fc.Arbitrary<JsonObject>[]>(
    anyTextPart(),
    anyBase64().map((data) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } })),
    fc.constant({ type: "image", source: { type: "url", url: "https://files.example/1.png" } }),
    fc.constant({ type: "image", source: { type: "file", file_id: "file_1" }, transformations: null }),
    anyBase64().map((data) => ({
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data },
      title: "Plan",
      citations: { enabled: true },
    })),
    anyText().map((data) => ({
      type: "document",
      source: { type: "text", media_type: "text/plain", data },
      context: "c",
    })),
    anyText().map((content) => ({ type: "document", source: { type: "content", content } })),
    anyText().map((text) => ({
      type: "search_result",
      source: "s",
      title: "t",
      content: [{ type: "text", text }],
    })),
  );
  const content = fc.oneof<fc.Arbitrary<JsonValue>[]>(anyText(), fc.array(part, { minLength: 1, maxLength: 3 }));
  return content.map((answer) => ({ role: "user", content: answer }));
}

/** A user message, perhaps a system message, an assistant message with calls, and the results. */
function anyExchange(): fc.Arbitrary<JsonObject[]> {
  return fc
    .record({
      question: anyUserMessage(),
      note: fc.option(fc.constant({ role: "system", content: "Be brief.", clear_at: "never" }), {
        nil: undefined,
        freq: 4,
      }),
      thinking: fc.array(anyThinking(), { maxLength: 2 }),
      textPart: fc.option(anyTextPart(), { nil: undefined }),
      calls: fc.array(fc.tuple(anyPath(), anyResultContent(), fc.boolean()), { maxLength: 3 }),
    })
    .map(({ question, note, thinking, textPart, calls }) => {
      const uses = calls.map(
        ([path]): JsonObject => ({ type: "tool_use", id: "", name: "read_file", input: { path } }),
      );
      const results = calls.map(
        ([, content, isError]): JsonObject => ({
          type: "tool_result",
          tool_use_id: "",
          ...(content === null ? {} : { content }),
          ...(isError ? { is_error: true } : {}),
        }),
      );
      const answer = [...thinking, ...(textPart === undefined ? [] : [textPart]), ...uses];
      const content: JsonValue = answer.length === 0 ? "Yes." : answer;
      return [
        question,
        ...(note === undefined ? [] : [note]),
        { role: "assistant", content },
        ...(results.length === 0 ? [] : [{ role: "user", content: results }]),
      ];
    });
}

function anyThinking(): fc.Arbitrary<JsonObject> {
  return fc.oneof<fc.Arbitrary<JsonObject>[]>(
    fc.tuple(anyText(), anyBase64()).map(([thinking, signature]) => ({ type: "thinking", thinking, signature })),
    anyBase64().map((data) => ({ type: "redacted_thinking", data })),
  );
}

function anyResultContent(): fc.Arbitrary<JsonValue> {
  return fc.oneof<fc.Arbitrary<JsonValue>[]>(
    fc.constant(null),
    anyText(),
    fc.array(
      fc.oneof<fc.Arbitrary<JsonObject>[]>(
        anyTextPart(),
        anyBase64().map((data) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } })),
        fc.constant({ type: "tool_reference", tool_name: "grep" }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  );
}

/** Gives each call and its result a unique id. */
function numberCalls(exchanges: readonly JsonObject[][]): JsonObject[][] {
  let serial = 0;
  return exchanges.map((messages) => {
    const first = serial;
    return messages.map((message) => {
      let at = first;
      const { content } = message;
      if (!Array.isArray(content)) return message;
      const numbered = content.map((block: JsonObject) => {
        if (block.type === "tool_use") return { ...block, id: `toolu_${serial++}` };
        return block.type === "tool_result" ? { ...block, tool_use_id: `toolu_${at++}` } : block;
      });
      return { ...message, content: numbered };
    });
  });
}
