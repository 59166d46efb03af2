/** A wire format as literal bytes of a client and an upstream. */
export interface RawFormat {
  readonly wire: string;
  /** The upstream kind and the path of its `baseUrl`. */
  readonly upstream: { readonly kind: string; readonly wire?: string };
  readonly basePath: string;
  path(model: string, stream: boolean): string;
  body(model: string, stream: boolean): object;
  /** A complete reply with the text "All fine." */
  readonly whole: string;
  /** The same reply as a stream: the part before its text, the text, and the end. */
  readonly opening: readonly string[];
  readonly text: string;
  readonly ending: readonly string[];
}

const event = (data: object, name?: string) =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const named = (data: { readonly type: string; readonly [field: string]: unknown }) => event(data, data.type);

const usage = { input_tokens: 3, output_tokens: 2 };
const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" };
const anthropic: RawFormat = {
  wire: "anthropic-messages",
  upstream: { kind: "anthropic" },
  basePath: "",
  path: () => "/v1/messages",
  body: (model, stream) => ({ model, stream, max_tokens: 9, messages: [{ role: "user", content: "hi" }] }),
  whole: JSON.stringify({
    ...message,
    content: [{ type: "text", text: "All fine." }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage,
  }),
  opening: [
    named({ type: "message_start", message: { ...message, content: [], stop_reason: null, usage } }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  ],
  text: named({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: "All fine." },
  }),
  ending: [
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 2 },
    }),
    named({ type: "message_stop" }),
  ],
};

const completion = { id: "chatcmpl-1", created: 1, model: "gpt-4o" };
const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ ...completion, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
const chat: RawFormat = {
  wire: "openai-chat",
  upstream: { kind: "openai-compatible" },
  basePath: "/v1",
  path: () => "/v1/chat/completions",
  body: (model, stream) => ({ model, stream, messages: [{ role: "user", content: "hi" }] }),
  whole: JSON.stringify({
    ...completion,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "All fine." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  }),
  opening: [chunk({ role: "assistant", content: "" })],
  text: chunk({ content: "All fine." }),
  ending: [chunk({}, "stop"), "data: [DONE]\n\n"],
};

const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt-5", status: "in_progress", output: [] };
const item = { id: "msg_1", type: "message", role: "assistant", status: "completed" };
const part = { type: "output_text", text: "All fine.", annotations: [] };
const answered = {
  ...response,
  status: "completed",
  output: [{ ...item, content: [part] }],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
};
let sequence = 0;
const numbered = (type: string, data: object) => named({ type, sequence_number: sequence++, ...data });
const responses: RawFormat = {
  wire: "openai-responses",
  upstream: { kind: "openai", wire: "openai-responses" },
  basePath: "/v1",
  path: () => "/v1/responses",
  body: (model, stream) => ({ model, stream, store: false, input: "hi" }),
  whole: JSON.stringify(answered),
  opening: [
    numbered("response.created", { response }),
    numbered("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress", content: [] } }),
    numbered("response.content_part.added", {
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      part: { ...part, text: "" },
    }),
  ],
  text: numbered("response.output_text.delta", {
    item_id: "msg_1",
    output_index: 0,
    content_index: 0,
    delta: "All fine.",
  }),
  ending: [
    numbered("response.output_item.done", { output_index: 0, item: { ...item, content: [part] } }),
    numbered("response.completed", { response: answered }),
  ],
};

const candidate = (text: string, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: "gemini-2.5-pro",
  responseId: "r1",
});
const gemini: RawFormat = {
  wire: "gemini",
  upstream: { kind: "gemini" },
  basePath: "",
  path: (model, stream) => `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body: () => ({ contents: [{ role: "user", parts: [{ text: "hi" }] }] }),
  whole: JSON.stringify(candidate("All fine.", { finishReason: "STOP" })),
  opening: [],
  text: event(candidate("All fine.")),
  ending: [event(candidate("", { finishReason: "STOP" }))],
};

export const RAW_FORMATS: readonly RawFormat[] = [anthropic, chat, responses, gemini];
