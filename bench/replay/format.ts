import type { JsonObject, WireId } from "@longhaul/conversation";

/** How a kind of client speaks, and which model at which upstream it ends up with. */
export interface Format {
  readonly name: string;
  /** What the client speaks. */
  readonly wire: WireId;
  /** The field that lists what was said. */
  readonly listField: string;
  readonly model: string;
  /** Where the client posts to. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the client says how long an answer may be. */
  readonly limitsOutput: boolean;
  /** The gateway's upstream, given the simulator's address. */
  readonly upstream: (url: string) => JsonObject;
  /** Whether an entry of the list is the assistant's. */
  readonly isAssistant: (item: JsonObject) => boolean;
  /** What a stream that came to its end has in it. */
  readonly lastEvent: RegExp;
}

const CLAUDE = "claude-sonnet-4-6";

/** Messages as Claude Code sends them. */
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

/** Chat completions, at OpenAI. */
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

/** Responses, with the whole input every time. */
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

/** Chat completions from a model that only speaks Messages, as editors do it. */
const CHAT_TO_CLAUDE: Format = { ...CHAT, name: "chat to Claude", model: CLAUDE, upstream: MESSAGES.upstream };

/** Every kind of client. */
export const FORMATS: readonly Format[] = [MESSAGES, CHAT, RESPONSES, GEMINI, CHAT_TO_CLAUDE];
