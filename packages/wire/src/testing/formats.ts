import type { Block, JsonObject, JsonValue, Reply } from "@longhaul/conversation/advanced";
import type fc from "fast-check";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import type { Codec, RequestLine } from "../codec/codec.ts";
import type { WireDestination } from "../codec/rules.ts";
import { gemini } from "../gemini/index.ts";
import { ERROR_MARK } from "../openai/shape.ts";
import { openaiChat } from "../openai-chat/index.ts";
import { openaiResponses } from "../openai-responses/index.ts";
import { anyAnthropicBody } from "./any-anthropic-body.ts";
import { anyChatBody } from "./any-chat-body.ts";
import { anyGeminiBody } from "./any-gemini-body.ts";
import { anyResponsesBody } from "./any-responses-body.ts";
import {
  attachmentsAfterResults,
  chain,
  compactionAsText,
  documentsAsText,
  errorsAsText,
  type Loss,
  opaqueOnlyOf,
  resultTextFirst,
  systemAsTaggedText,
  textBeforeCalls,
  thinkingOnlyIf,
  withDetail,
  withFileNames,
  withMediaTypes,
  withoutDetail,
  withoutFields,
  withoutMediaTypes,
  withoutRefused,
  withoutResultNames,
  withResultNames,
} from "./losses.ts";

/** A format as documented: its losses, and how its clients send a reply back. */
export interface Format {
  readonly codec: Codec;
  readonly anyBody: () => fc.Arbitrary<JsonObject>;
  readonly destination: WireDestination;
  readonly line?: RequestLine;
  readonly vendor: string;
  /** Whether an image or document is rejected, not dropped. */
  readonly refuses: (block: Block) => boolean;
  /** Replaces content that is rejected even from a client of this format. */
  readonly prepare: Loss;
  /** Losses of a conversation from a client of this format, or of another one. */
  readonly survives: (isForeign: boolean) => Loss;
  /** Returns a reply after the format's losses. */
  readonly replySurvives: (reply: Reply) => Reply;
  /** Returns the message entries that a client makes from a reply. */
  readonly echo: (reply: JsonObject) => readonly JsonValue[];
  /** Returns a request body with these messages. */
  readonly bodyOf: (messages: readonly JsonValue[]) => JsonObject;
  readonly brokenReply: unknown;
}

export const ANTHROPIC: Format = {
  codec: anthropicMessages,
  anyBody: anyAnthropicBody,
  destination: { model: "claude-sonnet-5", maxOutputTokens: 64_000 },
  vendor: "anthropic",
  refuses: () => false,
  prepare: chain(),
  survives: (isForeign) =>
    chain(
      thinkingOnlyIf((block) => "vendor" in block && block.vendor === "anthropic"),
      withoutDetail,
      withoutResultNames,
      withoutMediaTypes,
      isForeign ? opaqueOnlyOf("anthropic-messages") : chain(),
      isForeign ? systemAsTaggedText : chain(),
    ),
  replySurvives: (reply) => reply,
  echo: ({ content }) => [{ role: "assistant", content: content ?? [] }],
  bodyOf: (messages) => ({ model: "m", max_tokens: 9, messages }),
  brokenReply: { type: "message", content: [{ type: "text" }] },
};

/** Chat completions as at OpenRouter, which accepts any vendor's reasoning. */
export const CHAT: Format = {
  codec: openaiChat,
  anyBody: anyChatBody,
  destination: { model: "gpt-6", vendor: "openrouter", thinkingField: "reasoning_details" },
  vendor: "openai",
  refuses: refusedByChat,
  prepare: withoutRefused(refusedByChat),
  survives: () =>
    chain(
      compactionAsText,
      documentsAsText,
      withoutFields("context"),
      withFileNames,
      opaqueOnlyOf("openai-chat"),
      errorsAsText(ERROR_MARK),
      withoutResultNames,
      withoutMediaTypes,
      resultTextFirst,
      attachmentsAfterResults,
      textBeforeCalls,
    ),
  replySurvives: (reply) => reply,
  echo: ({ choices }) => (Array.isArray(choices) ? [choices[0].message] : []),
  bodyOf: (messages) => ({ model: "m", messages }),
  brokenReply: { choices: [] },
};

export const RESPONSES: Format = {
  codec: openaiResponses,
  anyBody: anyResponsesBody,
  destination: { model: "gpt-6" },
  vendor: "openai",
  refuses: () => false,
  prepare: withoutRefused(() => false),
  survives: () =>
    chain(
      thinkingOnlyIf((block) => "vendor" in block && block.vendor === "openai"),
      compactionAsText,
      documentsAsText,
      withoutFields("context"),
      withFileNames,
      withDetail,
      opaqueOnlyOf("openai-responses"),
      errorsAsText(ERROR_MARK),
      withoutResultNames,
      withoutMediaTypes,
    ),
  replySurvives: withThoughtIds,
  echo: ({ output }) => (Array.isArray(output) ? output : []),
  bodyOf: (input) => ({ model: "m", input }),
  brokenReply: { object: "response" },
};

export const GEMINI: Format = {
  codec: gemini,
  anyBody: anyGeminiBody,
  destination: { model: "gemini-3.5-flash", maxOutputTokens: 65_536 },
  line: { model: "gemini-3.5-flash", stream: false },
  vendor: "google",
  refuses: () => false,
  prepare: withoutRefused(() => false),
  survives: () =>
    chain(
      thinkingOnlyIf((block) => "vendor" in block && block.vendor === "google"),
      compactionAsText,
      documentsAsText,
      withoutFields("title", "context"),
      withoutDetail,
      opaqueOnlyOf("gemini"),
      systemAsTaggedText,
      withResultNames,
      resultTextFirst,
      withMediaTypes,
    ),
  replySurvives: cacheWritesAsInput,
  echo: ({ candidates }) => (Array.isArray(candidates) ? [candidates[0].content] : []),
  bodyOf: (contents) => ({ contents }),
  brokenReply: { candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: "STOP" }] },
};

/** All formats. */
export const FORMATS: readonly Format[] = [ANTHROPIC, CHAT, RESPONSES, GEMINI];

function refusedByChat(block: Block): boolean {
  if (block.type === "image") return block.source.kind === "file";
  return block.type === "document" && block.source.kind === "url";
}

/** Thinking without an id gets one. */
function withThoughtIds(reply: Reply): Reply {
  const blocks = reply.blocks.map((block, index) => {
    return block.type === "thinking" ? { id: `rs_${reply.id}_${index}`, ...block } : block;
  });
  return { ...reply, blocks };
}

/** The format does not report cache writes. */
function cacheWritesAsInput(reply: Reply): Reply {
  const { inputTokens, cacheWriteTokens } = reply.usage;
  return { ...reply, usage: { ...reply.usage, inputTokens: inputTokens + cacheWriteTokens, cacheWriteTokens: 0 } };
}
