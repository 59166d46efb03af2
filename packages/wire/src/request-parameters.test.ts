import { type JsonObject, LonghaulError, type Request } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { sameValue } from "./fields/json.ts";
import { settingsOf } from "./fields/settings.ts";
import { FORMATS } from "./testing/formats.ts";

const SCHEMA = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const CHAT_TOOL = { type: "function", function: { name: "f", parameters: SCHEMA } };

/** Every parameter that a client can set, by format, with a value that is not the default. */
const PARAMETERS: Readonly<Record<string, readonly JsonObject[]>> = {
  "openai-chat": [
    { audio: { voice: "alloy", format: "wav" } },
    { frequency_penalty: 0.5 },
    { functions: [{ name: "f" }] },
    { logit_bias: { "50256": -100 } },
    { logprobs: true },
    { max_completion_tokens: 100 },
    { max_tokens: 100 },
    { metadata: { a: "b" } },
    { min_p: 0.1 },
    { modalities: ["text", "audio"] },
    { n: 2 },
    { parallel_tool_calls: false, tools: [CHAT_TOOL] },
    { prediction: { type: "content", content: "a" } },
    { presence_penalty: 0.5 },
    { prompt_cache_key: "k" },
    { prompt_cache_retention: "24h" },
    { reasoning_effort: "high" },
    { repetition_penalty: 1.1 },
    { response_format: { type: "json_object" } },
    { response_format: { type: "json_schema", json_schema: { name: "r", schema: SCHEMA, strict: true } } },
    { response_format: { type: "grammar", grammar: "root" } },
    { safety_identifier: "u" },
    { seed: 7 },
    { service_tier: "priority" },
    { stop: ["END"] },
    { store: true },
    { temperature: 0.5 },
    { tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [] } }, tools: [CHAT_TOOL] },
    { tools: [{ type: "builtin_function", function: { name: "$web_search" } }] },
    { tools: [{ type: "web_search" }] },
    { top_k: 40 },
    { top_logprobs: 1 },
    { top_p: 0.5 },
    { user: "u" },
    { verbosity: "low" },
    { web_search_options: { search_context_size: "low" } },
  ],
  "openai-responses": [
    { background: true },
    { context_management: [{ type: "compaction", compact_threshold: 1_000 }] },
    { conversation: "conv_1" },
    { include: ["message.output_text.logprobs"] },
    { max_output_tokens: 100 },
    { max_tool_calls: 3 },
    { metadata: { a: "b" } },
    { previous_response_id: "resp_1" },
    { prompt: { id: "pmpt_1" } },
    { prompt_cache_key: "k" },
    { reasoning: { effort: "high" } },
    { safety_identifier: "u" },
    { service_tier: "flex" },
    { store: true },
    { temperature: 0.5 },
    { text: { format: { type: "json_object" } } },
    { text: { format: { type: "json_schema", name: "r", schema: SCHEMA } } },
    { text: { verbosity: "low" } },
    { tools: [{ type: "web_search" }] },
    { tools: [{ type: "code_interpreter", container: { type: "auto" } }] },
    { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] },
    { tools: [{ type: "mcp", server_label: "docs", server_url: "https://example.org/" }] },
    { top_logprobs: 2 },
    { top_p: 0.5 },
    { truncation: "auto" },
  ],
  "anthropic-messages": [
    { cache_control: { type: "ephemeral" } },
    { compaction: { type: "summarize" } },
    { container: "container_1" },
    { context_management: { edits: [{ type: "clear_tool_uses_20250919" }] } },
    { fallbacks: ["claude-haiku-4-5"] },
    { inference_geo: "us" },
    { mcp_servers: [{ type: "url", url: "https://example.org/", name: "docs" }] },
    { metadata: { user_id: "u" } },
    { output_config: { effort: "high" } },
    { output_config: { format: { type: "json_schema", schema: SCHEMA } } },
    { output_config: { task_budget: { type: "tokens", total: 9_000 } } },
    { service_tier: "standard_only" },
    { speed: "fast" },
    { stop_sequences: ["END"] },
    { temperature: 0.5 },
    { thinking: { type: "enabled", budget_tokens: 2_000 } },
    { thread: { type: "create" } },
    { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    { tools: [{ type: "code_execution_20250825", name: "code_execution" }] },
    { tools: [{ type: "memory_20250818", name: "memory" }] },
    { top_k: 40 },
    { top_p: 0.5 },
  ],
  gemini: [
    { cachedContent: "cachedContents/1" },
    { generationConfig: { candidateCount: 2 } },
    { generationConfig: { frequencyPenalty: 0.5 } },
    { generationConfig: { imageConfig: { aspectRatio: "1:1" } } },
    { generationConfig: { maxOutputTokens: 100 } },
    { generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW" } },
    { generationConfig: { presencePenalty: 0.5 } },
    { generationConfig: { responseLogprobs: true, logprobs: 3 } },
    { generationConfig: { responseMimeType: "application/json" } },
    { generationConfig: { responseMimeType: "application/json", responseJsonSchema: SCHEMA } },
    { generationConfig: { responseModalities: ["IMAGE"] } },
    { generationConfig: { seed: 7 } },
    { generationConfig: { speechConfig: { languageCode: "en-GB" } } },
    { generationConfig: { stopSequences: ["END"] } },
    { generationConfig: { temperature: 0.5 } },
    { generationConfig: { thinkingConfig: { thinkingBudget: 2_000 } } },
    { generationConfig: { topK: 40 } },
    { generationConfig: { topP: 0.5 } },
    { labels: { a: "b" } },
    { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }] },
    { toolConfig: { retrievalConfig: { languageCode: "en" } } },
    { tools: [{ googleSearch: {} }] },
    { tools: [{ codeExecution: {} }] },
    { tools: [{ urlContext: {} }] },
  ],
};

const PAIRS = FORMATS.flatMap((client) =>
  FORMATS.filter((upstream) => upstream !== client).flatMap((upstream) =>
    (PARAMETERS[client.codec.id] ?? []).map((fields) => {
      return [
        client.codec.id,
        JSON.stringify(fields).slice(0, 80),
        upstream.codec.id,
        { client, upstream, fields },
      ] as const;
    }),
  ),
);

describe("a parameter of a request", () => {
  it.each(PAIRS)("%s %s is written for %s, rejected, or reported", (_, __, ___, { client, upstream, fields }) => {
    const body = { ...client.bodyOf(client.codec.id === "gemini" ? GEMINI_MESSAGES : MESSAGES), ...fields };
    const request = client.codec.decodeRequest(body, client.line);
    const plain = client.codec.decodeRequest({ ...body, ...without(fields) }, client.line);
    const outcome = attempt(() => upstream.codec.encodeRequest(request, upstream.destination));
    if (outcome === "rejected") return;
    const read = upstream.codec.decodeRequest(JSON.parse(JSON.stringify(outcome.body)), upstream.line);
    const isWritten = Object.entries(settingsOf(request)).every(([name, value]) => {
      return sameValue(value, settingIn(plain, name)) || sameMeaning(value, settingIn(read, name));
    });
    const isUnderstood = !sameValue(settingsOf(request), settingsOf(plain)) && request.extra === undefined;
    const reported = outcome.warnings.map(({ feature }) => feature);
    if (isUnderstood) expect(isWritten || reported.length > 0).toBe(true);
    else expect(reported).toEqual(expect.arrayContaining([...featuresOf(fields)]));
  });
});

const MESSAGES = [{ role: "user", content: "Hi" }];
const GEMINI_MESSAGES = [{ role: "user", parts: [{ text: "Hi" }] }];

/** Returns the names of the warnings about fields that only one format has. */
function featuresOf(fields: JsonObject): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (name === "tools") return JSON.stringify(value).includes('"f"') ? [] : ["tool.server"];
    const isOpened = OPENED.has(name) && typeof value === "object" && value !== null;
    return isOpened ? Object.keys(value).map((inner) => `field.${name}.${inner}`) : [`field.${name}`];
  });
}

const OPENED: ReadonlySet<string> = new Set(["generationConfig", "toolConfig", "text", "output_config"]);

/** The same fields, empty. */
function without(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
}

function settingIn(request: Request, name: string): unknown {
  return Object.entries(settingsOf(request)).find(([key]) => key === name)?.[1];
}

/** Formats add fields of their own: how reasoning is shown, a schema's name, whether it is strict. */
function sameMeaning(asked: unknown, read: unknown): boolean {
  if (typeof asked !== "object" || asked === null || typeof read !== "object" || read === null) return asked === read;
  const kept = new Map(Object.entries(read));
  const matters = Object.entries(asked).filter(([name]) => name !== "exclude" && name !== "name" && name !== "strict");
  return matters.every(([name, value]) => (name === "mode" ? kept.has("mode") : sameValue(value, kept.get(name))));
}

function attempt<T>(encode: () => T): T | "rejected" {
  try {
    return encode();
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "request.unsupported") return "rejected";
    throw error;
  }
}
