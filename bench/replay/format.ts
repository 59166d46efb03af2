import type { JsonObject, WireId } from "@longhaul/conversation";

/** A kind of client, and the model and upstream that it reaches. */
export interface Format {
  readonly name: string;
  readonly wire: WireId;
  /** The field with the messages. */
  readonly listField: string;
  readonly model: string;
  /** The client's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the client sets a maximum output. */
  readonly limitsOutput: boolean;
  /** The gateway's upstream for the simulator's URL. */
  readonly upstream: (url: string) => JsonObject;
  /** Whether an item is the assistant's. */
  readonly isAssistant: (item: JsonObject) => boolean;
  /** Matches the end of a complete stream. */
  readonly lastEvent: RegExp;
}

const CLAUDE = "claude-sonnet-4-6";

/** Messages as sent by Claude Code. */
export const MESSAGES: Format = {
  name: "messages",
  wire: "anthropic-messages",
  listField: "messages",
  model: CLAUDE,
  path: "/v1/messages?beta=true",
  headers: { "x-api-key": "key", "anthropic-version": "2023-06-01" },
  limitsOutput: true,
  upstream: (baseUrl) => ({ kind: "anthropic", baseUrl, apiKey: "key" }),
  isAssistant: ({ role }) => role === "assistant",
  lastEvent: /"type":"message_stop"/,
};

/** Chat completions at OpenAI. */
export const CHAT: Format = {
  name: "chat",
  wire: "openai-chat",
  listField: "messages",
  model: "gpt-4.1",
  path: "/v1/chat/completions",
  headers: { authorization: "Bearer key" },
  limitsOutput: false,
  upstream: (url) => ({ kind: "openai", baseUrl: `${url}/v1`, wire: "openai-chat", apiKey: "key" }),
  isAssistant: ({ role }) => role === "assistant",
  lastEvent: /data: \[DONE\]/,
};

/** Responses with the whole input every time. */
const RESPONSES: Format = {
  ...CHAT,
  name: "responses",
  wire: "openai-responses",
  listField: "input",
  path: "/v1/responses",
  upstream: (url) => ({ kind: "openai", baseUrl: `${url}/v1`, wire: "openai-responses", apiKey: "key" }),
  isAssistant: ({ role, type }) => role === "assistant" || type === "function_call" || type === "reasoning",
  lastEvent: /"type":"response.completed"/,
};

const GEMINI: Format = {
  name: "gemini",
  wire: "gemini",
  listField: "contents",
  model: "gemini-2.5-pro",
  path: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
  headers: { "x-goog-api-key": "key" },
  limitsOutput: false,
  upstream: (baseUrl) => ({ kind: "gemini", baseUrl, apiKey: "key" }),
  isAssistant: ({ role }) => role === "model",
  lastEvent: /"finishReason":/,
};

/** Chat completions from a model that supports only Messages, as in editors. */
const CHAT_TO_CLAUDE: Format = { ...CHAT, name: "chat to Claude", model: CLAUDE, upstream: MESSAGES.upstream };

/** All kinds of clients. */
export const FORMATS: readonly Format[] = [MESSAGES, CHAT, RESPONSES, GEMINI, CHAT_TO_CLAUDE];
