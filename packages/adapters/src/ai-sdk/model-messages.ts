import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Draft } from "@longhaul/condense/advanced";
import { type Conversation, LonghaulError } from "@longhaul/conversation";
import { isRecord } from "../translate.ts";
import { decodePrompt } from "./decode-prompt.ts";
import { encodePrompt } from "./encode-prompt.ts";

/** Decodes the messages of `generateText`: one message per message and one block per part. */
export function decodeModelMessages(messages: readonly unknown[]): Conversation {
  return decodePrompt(messages.map(taggedParts).map(promptMessage));
}

/** Encodes a draft as messages of `generateText`. Unchanged messages are the identical objects. */
export function encodeModelMessages(draft: Draft, messages: readonly unknown[]): unknown[] {
  const prompt: LanguageModelV4Prompt = messages.map(listedParts).map(promptMessage);
  const originals = new Map<unknown, unknown>(prompt.map((message, index) => [message, messages[index]]));
  return encodePrompt(draft, prompt).map((message) => originals.get(message) ?? message);
}

function promptMessage(value: unknown, index: number): LanguageModelV4Message {
  if (isPromptMessage(value)) return value;
  throw new LonghaulError("request.malformed", `messages[${index}] is not a message of the AI SDK`);
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function isPromptMessage(value: unknown): value is LanguageModelV4Message {
  if (!isRecord(value) || !ROLES.has(value.role)) return false;
  return value.role === "system" ? typeof value.content === "string" : Array.isArray(value.content);
}

/** A plain text is short for one part. */
function listedParts(message: unknown): unknown {
  if (!isRecord(message) || message.role === "system" || typeof message.content !== "string") return message;
  return { ...message, content: [{ type: "text", text: message.content }] };
}

/** Returns a message whose files are all tagged, as in a prompt. */
function taggedParts(message: unknown): unknown {
  const listed = listedParts(message);
  if (!isRecord(listed) || !Array.isArray(listed.content)) return listed;
  return { ...listed, content: listed.content.map(taggedPart) };
}

function taggedPart(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const { type, image, mediaType = "image/png", data, ...rest } = part;
  if (type === "image") return { ...rest, type: "file", mediaType, data: taggedData(image) };
  if (type === "file") return { ...rest, type, mediaType, data: taggedData(data) };
  return KNOWN_PARTS.has(type) ? part : { ...part, type: "custom" };
}

/** Parts that a prompt has too. */
const KNOWN_PARTS: ReadonlySet<unknown> = new Set([
  "text",
  "reasoning",
  "reasoning-file",
  "custom",
  "tool-call",
  "tool-result",
  "tool-approval-response",
]);

function taggedData(data: unknown): unknown {
  if (data instanceof ArrayBuffer) return { type: "data", data: new Uint8Array(data) };
  if (typeof data === "string") return isUrl(data) ? { type: "url", url: data } : { type: "data", data };
  if (data instanceof Uint8Array) return { type: "data", data };
  if (!isRecord(data)) return { type: "text", text: "" };
  if (typeof data.href === "string") return { type: "url", url: data.href };
  return typeof data.type === "string" ? data : { type: "reference", reference: data };
}

function isUrl(text: string): boolean {
  return /^(https?|data):/.test(text);
}
