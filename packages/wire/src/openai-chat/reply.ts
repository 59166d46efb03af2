import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Reply,
  type StopReason,
} from "@longhaul/conversation";
import type { ReplyContext } from "../codec.ts";
import { given } from "../given.ts";
import { optionalString } from "../read.ts";
import { brokenReply, readingReply, readReplyObject } from "../read-reply.ts";
import { decodeAssistant } from "./decode-message.ts";
import { type ChatAudience, encodeAssistant } from "./encode-message.ts";
import { decodeError } from "./error.ts";
import { encodeDetail } from "./reasoning-details.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

/** Reads an upstream's whole reply: its first choice. */
export function decodeReply(body: unknown, { vendor }: ReplyContext = {}): Reply {
  // OpenRouter answers 200 with an error inside when a provider fails late.
  if (isJsonObject(body) && isJsonObject(body.error)) throw decodeError(200, body);
  const reply = readReplyObject(body, "choices");
  const choice = reply.choices !== undefined && isJsonArray(reply.choices) ? reply.choices[0] : undefined;
  const message = isJsonObject(choice) ? choice.message : undefined;
  if (!isJsonObject(choice) || !isJsonObject(message)) throw brokenReply('it has no "choices[0].message"');
  const blocks = readingReply(() => decodeAssistant(message, "choices[0].message", vendor));
  return {
    id: optionalString(reply.id) ?? "",
    model: optionalString(reply.model) ?? "",
    blocks,
    stopReason:
      typeof message.refusal === "string" ? "refusal" : decodeStopReason(choice.finish_reason, hasCalls(blocks)),
    usage: decodeUsage(reply.usage),
    native: { wire: WIRE, value: reply },
  };
}

function hasCalls(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => type === "tool-call");
}

/** Writes a whole reply for a client. */
export function encodeReply(reply: Reply, { createdSeconds = 0 }: ReplyContext = {}): JsonObject {
  if (reply.native?.wire === WIRE && isJsonObject(reply.native.value)) return reply.native.value;
  const message = { ...encodeAssistant(joinTexts(reply.blocks), audienceFor(reply.blocks)), refusal: null };
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

/** A client's message holds one text. */
function joinTexts(blocks: readonly Block[]): readonly Block[] {
  const texts = blocks.filter((block) => block.type === "text");
  const rest = blocks.filter((block) => block.type !== "text");
  return texts.length === 0 ? rest : [{ type: "text", text: texts.map(({ text }) => text).join("") }, ...rest];
}

/** Text alone goes where most clients look for it; what is signed goes where clients that know how send it back from. */
function encodeThoughts(blocks: readonly Block[]): JsonObject {
  const thoughts = blocks.filter((block) => block.type === "thinking" || block.type === "redacted-thinking");
  const text = thoughts.map((thought) => (thought.type === "thinking" ? thought.text : "")).join("");
  const isSigned = thoughts.some((thought) => thought.type !== "thinking" || thought.signature !== undefined);
  return given({
    reasoning_content: text === "" ? undefined : text,
    reasoning_details: isSigned ? thoughts.map(encodeDetail) : undefined,
  });
}

/** A call whose input is a text by design was made to a tool that takes one. */
function audienceFor(blocks: readonly Block[]): ChatAudience {
  const free = blocks.flatMap((block) => (block.type === "tool-call" && block.freeText !== false ? [block.name] : []));
  return { vendor: VENDOR, extras: false, thinkingField: "reasoning_content", freeTextTools: new Set(free) };
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: "end",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "refusal",
};

/** Reads why the model stopped; some servers say "stop" after calls. */
export function decodeStopReason(reason: JsonValue | undefined, calls: boolean): StopReason {
  const known = (typeof reason === "string" ? STOP_REASONS[reason] : undefined) ?? "other";
  return calls && known === "end" ? "tool-calls" : known;
}

/** Writes why the model stopped. */
export function encodeStopReason(reason: StopReason): string {
  if (reason === "context-exceeded") return "length";
  return Object.entries(STOP_REASONS).find(([, known]) => known === reason)?.[0] ?? "stop";
}
