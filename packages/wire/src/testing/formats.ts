import type { Block, JsonObject, JsonValue, Reply } from "@longhaul/conversation";
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
  addressesUntyped,
  attachmentsAfterResults,
  chain,
  compactionAsText,
  detailAlwaysSaid,
  documentsAsText,
  errorsInWords,
  filesNamed,
  filesTyped,
  type Loss,
  opaqueOnlyOf,
  resultsNamed,
  resultsNameless,
  resultWordsFirst,
  systemAsMarkedText,
  thinkingOnlyIf,
  withoutDetail,
  withoutRefused,
  withoutWords,
  wordsBeforeCalls,
} from "./losses.ts";

/** A format as its documentation describes it: what it loses of a conversation and of a reply, and how its clients send a reply back. */
export interface Format {
  readonly codec: Codec;
  readonly anyBody: () => fc.Arbitrary<JsonObject>;
  readonly destination: WireDestination;
  readonly line?: RequestLine;
  readonly vendor: string;
  /** Whether an image or a document is refused rather than lost. */
  readonly refuses: (block: Block) => boolean;
  /** Replaces what is refused even from a client of this format. */
  readonly prepare: Loss;
  /** What is left of a conversation of a client of this format, or of another one. */
  readonly survives: (isForeign: boolean) => Loss;
  /** What is left of a reply. */
  readonly replySurvives: (reply: Reply) => Reply;
  /** The entries of a request's messages that a client makes of a reply. */
  readonly echo: (reply: JsonObject) => readonly JsonValue[];
  /** The body of a request with these messages. */
  readonly bodyOf: (messages: readonly JsonValue[]) => JsonObject;
  readonly brokenReply: unknown;
}

/** Anthropic's Messages. */
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
      resultsNameless,
      addressesUntyped,
      isForeign ? opaqueOnlyOf("anthropic-messages") : chain(),
      isForeign ? systemAsMarkedText : chain(),
    ),
  replySurvives: (reply) => reply,
  echo: ({ content }) => [{ role: "assistant", content: content ?? [] }],
  bodyOf: (messages) => ({ model: "m", max_tokens: 9, messages }),
  brokenReply: { type: "message", content: [{ type: "text" }] },
};

/** OpenAI's chat completions, as OpenRouter speaks them: any vendor's reasoning may be sent back. */
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
      withoutWords("context"),
      filesNamed,
      opaqueOnlyOf("openai-chat"),
      errorsInWords(ERROR_MARK),
      resultsNameless,
      addressesUntyped,
      attachmentsAfterResults,
      wordsBeforeCalls,
    ),
  replySurvives: (reply) => reply,
  echo: ({ choices }) => (Array.isArray(choices) ? [choices[0].message] : []),
  bodyOf: (messages) => ({ model: "m", messages }),
  brokenReply: { choices: [] },
};

/** OpenAI's Responses. */
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
      withoutWords("context"),
      filesNamed,
      detailAlwaysSaid,
      opaqueOnlyOf("openai-responses"),
      errorsInWords(ERROR_MARK),
      resultsNameless,
      addressesUntyped,
    ),
  replySurvives: thoughtsNumbered,
  echo: ({ output }) => (Array.isArray(output) ? output : []),
  bodyOf: (input) => ({ model: "m", input }),
  brokenReply: { object: "response" },
};

/** Google's generateContent. */
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
      withoutWords("title", "context"),
      withoutDetail,
      opaqueOnlyOf("gemini"),
      systemAsMarkedText,
      resultsNamed,
      resultWordsFirst,
      filesTyped,
    ),
  replySurvives: cacheWritesAsInput,
  echo: ({ candidates }) => (Array.isArray(candidates) ? [candidates[0].content] : []),
  bodyOf: (contents) => ({ contents }),
  brokenReply: { candidates: [{ content: { parts: [{ functionCall: {} }] }, finishReason: "STOP" }] },
};

/** All of them. */
export const FORMATS: readonly Format[] = [ANTHROPIC, CHAT, RESPONSES, GEMINI];

function refusedByChat(block: Block): boolean {
  if (block.type === "image") return block.source.kind === "file";
  return block.type === "document" && block.source.kind === "url";
}

/** Every piece of reasoning gets an id that its vendor did not give. */
function thoughtsNumbered(reply: Reply): Reply {
  const blocks = reply.blocks.map((block, index) => {
    return block.type === "thinking" ? { id: `rs_${reply.id}_${index}`, ...block } : block;
  });
  return { ...reply, blocks };
}

/** The format does not tell what was written to the cache. */
function cacheWritesAsInput(reply: Reply): Reply {
  const { inputTokens, cacheWriteTokens } = reply.usage;
  return { ...reply, usage: { ...reply.usage, inputTokens: inputTokens + cacheWriteTokens, cacheWriteTokens: 0 } };
}
