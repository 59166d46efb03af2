import {
  type Block,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  promptTokens,
  type Reply,
  type StopReason,
  table,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation/advanced";
import type { ReplyContext } from "../codec/stepper.ts";
import { countOf, defined, fieldOf, listIn, nonEmptyString, objectIn, optionalString } from "../fields/json.ts";
import { brokenReply, hasCalls, readReplyObject, withReplyErrors } from "../reply/read-reply.ts";
import { decodeAssistant } from "./decode-message.ts";
import { type ChatEncodeOptions, encodeAssistant } from "./encode-message.ts";
import { decodeError } from "./error.ts";
import { encodeDetail } from "./reasoning-details.ts";
import { VENDOR, WIRE } from "./rules.ts";

export function decodeReply(body: unknown, { vendor }: ReplyContext = {}): Reply {
  // OpenRouter sends an error with status 200 if a provider fails late.
  if (isJsonObject(body) && isErrorBody(body)) throw decodeError(200, body);
  const reply = readReplyObject(body, "choices");
  const choices = choicesIn(reply).filter(({ message }) => isJsonObject(message));
  if (choices.length === 0) throw brokenReply('"choices[0].message" is missing');
  const finish = choices
    .map(({ finish_reason }) => nonEmptyString(finish_reason))
    .findLast((reason) => reason !== undefined);
  if (isFailure(finish)) throw brokenReply(`the server stopped with "${finish}"`);
  const messages = choices.map(({ message }) => objectIn(message));
  const blocks = withReplyErrors(() =>
    messages.flatMap((message, index) => decodeAssistant(message, `choices[${index}].message`, vendor)),
  );
  const isRefused = messages.some(({ refusal }) => nonEmptyString(refusal) !== undefined);
  return {
    id: optionalString(reply.id) ?? "",
    model: optionalString(reply.model) ?? "",
    blocks,
    stopReason: isRefused ? "refusal" : decodeStopReason(finish, hasCalls(blocks)),
    usage: decodeUsage(usageIn(reply, choices)),
    native: { wire: WIRE, value: reply },
  };
}

/** Whether a reply or chunk is an error: an object as from OpenAI, a plain string, or the form of vLLM and SGLang. */
export function isErrorBody({ error, object }: JsonObject): boolean {
  if (object === "error" || nonEmptyString(error) !== undefined) return true;
  return isJsonObject(error) && Object.keys(error).length > 0;
}

/** Returns the choices that make up the client's reply. GitHub Copilot splits Claude's text and calls into two choices. */
export function choicesIn({ choices }: JsonObject): readonly JsonObject[] {
  return listIn(choices)
    .map(objectIn)
    .filter(({ index }) => (index ?? 0) === 0);
}

/** Whether the finish reason means that the server failed, as with OpenRouter, GLM and DeepSeek. */
export function isFailure(finish: JsonValue | undefined): boolean {
  return finish === "error" || finish === "network_error" || finish === "insufficient_system_resource";
}

export function encodeReply(reply: Reply, { createdSeconds = 0 }: ReplyContext = {}): JsonObject {
  if (reply.native?.wire === WIRE && isJsonObject(reply.native.value)) return reply.native.value;
  const message = { ...encodeAssistant(joinTexts(reply.blocks), optionsFor(reply.blocks)), refusal: null };
  return {
    id: reply.id,
    object: "chat.completion",
    created: createdSeconds,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { ...message, ...encodeThoughts(reply.blocks) },
        logprobs: null,
        finish_reason: encodeStopReason(reply.stopReason),
      },
    ],
    usage: encodeUsage(reply.usage),
  };
}

/** Joins texts, because a client's message has only one, and drops thinking, which has its own field. */
function joinTexts(blocks: readonly Block[]): readonly Block[] {
  const texts = blocks.filter((block) => block.type === "text");
  const rest = blocks.filter(({ type }) => type !== "text" && type !== "thinking" && type !== "redacted-thinking");
  return texts.length === 0 ? rest : [{ type: "text", text: texts.map(({ text }) => text).join("") }, ...rest];
}

/** Encodes thinking: the text in the field that most clients read, signatures in `reasoning_details`, which clients send back. */
function encodeThoughts(blocks: readonly Block[]): JsonObject {
  const thoughts = blocks.filter((block) => block.type === "thinking" || block.type === "redacted-thinking");
  const text = thoughts.map((thought) => (thought.type === "thinking" ? thought.text : "")).join("");
  const isSigned = thoughts.some((thought) => thought.type !== "thinking" || thought.signature !== undefined);
  return defined({
    reasoning_content: text === "" ? undefined : text,
    reasoning_details: isSigned ? thoughts.map(encodeDetail) : undefined,
  });
}

/** Returns options that treat every called tool as a free-text tool unless the call says otherwise. */
function optionsFor(blocks: readonly Block[]): ChatEncodeOptions {
  const free = blocks.flatMap((block) => (block.type === "tool-call" && block.freeText !== false ? [block.name] : []));
  return { vendor: VENDOR, extras: false, thinkingField: "reasoning_content", freeTextTools: new Set(free) };
}

/** Finish reasons of compatible servers such as Mistral, GLM and Together. They are decoded but never encoded. */
const COMPATIBLE_REASONS: Readonly<Record<string, StopReason>> = {
  model_length: "length",
  max_tokens: "length",
  model_context_window_exceeded: "context-exceeded",
  eos: "end",
  end_turn: "end",
  complete: "end",
  tool_use: "tool-calls",
  sensitive: "refusal",
  safety: "refusal",
};

const STOP_REASONS: Readonly<Record<string, StopReason>> = table({
  stop: "end",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "refusal",
  ...COMPATIBLE_REASONS,
});

/** Decodes the stop reason. Some servers report "stop" after calls, or "tool_calls" without any. */
export function decodeStopReason(reason: JsonValue | undefined, calls: boolean): StopReason {
  // Google's chat endpoint appends its own reason: `content_filter: PROHIBITED_CONTENT`.
  const [word = ""] = (optionalString(reason) ?? "").toLowerCase().split(":");
  const known = word === "" ? "end" : STOP_REASONS[word];
  if (known === undefined) return calls ? "tool-calls" : "other";
  if (calls) return known === "end" ? "tool-calls" : known;
  return known === "tool-calls" ? "end" : known;
}

export function encodeStopReason(reason: StopReason): string {
  if (reason === "context-exceeded") return "length";
  for (const word in STOP_REASONS) if (STOP_REASONS[word] === reason) return word;
  return "stop";
}

/** Decodes usage. The prompt count includes cached tokens. */
export function decodeUsage(value: JsonValue | undefined): Usage {
  const usage = objectIn(value);
  const details = usage.prompt_tokens_details;
  // OpenAI, DeepSeek and Moonshot use different fields.
  const cached = [fieldOf(details, "cached_tokens"), usage.prompt_cache_hit_tokens, usage.cached_tokens];
  const reasoning = fieldOf(usage.completion_tokens_details, "reasoning_tokens") ?? usage.reasoning_tokens;
  const inputTokens = countOf(usage.prompt_tokens);
  return usageFromInclusive(
    defined({
      inputTokens,
      cacheReadTokens: Math.max(...cached.map(countOf)),
      cacheWriteTokens: countOf(fieldOf(details, "cache_write_tokens")),
      // xAI and Google's chat endpoint count reasoning only in the total.
      outputTokens: Math.max(countOf(usage.completion_tokens), countOf(usage.total_tokens) - inputTokens),
      reasoningTokens: typeof reasoning === "number" ? countOf(reasoning) : undefined,
    }),
  );
}

/** Returns the usage that a reply or chunk reports: in the standard field, Groq's, or Moonshot's. */
export function usageIn(chunk: JsonObject, choices: readonly JsonObject[]): JsonObject | undefined {
  let usage = filled(chunk.usage) ?? filled(fieldOf(chunk.x_groq, "usage"));
  for (const choice of choices) usage ??= filled(choice.usage);
  return usage;
}

function filled(value: JsonValue | undefined): JsonObject | undefined {
  const usage = objectIn(value);
  for (const _ in usage) return usage;
  return undefined;
}

export function encodeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const { cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}
