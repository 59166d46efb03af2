import type { Draft, Slot } from "@longhaul/condense/advanced";
import {
  type Conversation,
  isJsonObject,
  type JsonValue,
  LonghaulError,
  type Message,
  textBlock,
  type WireId,
} from "@longhaul/conversation";
import { isOwnEntry, MESSAGE_CODECS, type MessageCodec, systemAsUser } from "@longhaul/wire";
import { decodeModelMessages, encodeModelMessages } from "../ai-sdk/model-messages.ts";
import { isRecord, toJson } from "../translate.ts";
import { isAgentItem, toAgentItem, toResponsesItem } from "./agent-items.ts";

/** A format of messages: that of a vendor's API, of the AI SDK's `generateText`, or of the items of the OpenAI Agents SDK. */
export type MessageFormat = WireId | "ai-sdk" | "openai-agents";

/** Tools as a list, or by name as in the AI SDK. */
export type Tools = readonly unknown[] | Readonly<Record<string, unknown>>;

/** The parts of a prompt that are not messages, in the same format. They are counted but never changed. */
interface PromptParts {
  readonly system?: unknown;
  readonly tools?: Tools;
}

/** Decodes and encodes the messages of one format. The conversation has one message for each, without leading instructions. */
interface Converter {
  decode(messages: readonly unknown[], parts: PromptParts): Conversation;
  encode(draft: Draft, messages: readonly unknown[]): unknown[];
}

/** Returns the converter for a format. */
export function converterOf(format: MessageFormat): Converter {
  if (format === "ai-sdk") return AI_SDK;
  if (format === "openai-agents") return AGENTS;
  const codec = MESSAGE_CODECS.find(({ id }) => id === format);
  if (codec !== undefined) return wireConverter(codec);
  const known = [...MESSAGE_CODECS.map(({ id }) => id), "ai-sdk", "openai-agents"].join(", ");
  throw new LonghaulError("settings.invalid", `unknown format; known formats: ${known}`);
}

const AI_SDK: Converter = {
  decode: (messages, { system, tools }) => {
    const { system: leading, ...conversation } = decodeModelMessages(messages);
    const given = typeof system === "string" ? [textBlock(system)] : [];
    const named = isRecord(tools) ? Object.entries(tools).map(([name, tool]) => ({ ...Object(tool), name })) : tools;
    return { ...conversation, system: [...given, ...leading], tools: (named ?? []).flatMap(toolOf) };
  },
  encode: encodeModelMessages,
};

function toolOf(tool: unknown): Conversation["tools"] {
  if (!isRecord(tool)) return [];
  const { name, description, inputSchema: schema } = tool;
  const inputSchema = toJson(jsonSchemaOf(schema));
  return [
    {
      kind: "function",
      name: typeof name === "string" ? name : "",
      ...(typeof description === "string" && { description }),
      ...(isJsonObject(inputSchema) && { inputSchema }),
    },
  ];
}

/** Returns the JSON Schema of a tool's input: the SDK takes its own schemas and those of libraries with a standard interface. */
function jsonSchemaOf(schema: unknown): unknown {
  if (!isRecord(schema)) return undefined;
  const { "~standard": standard, jsonSchema } = schema;
  const converter = isRecord(standard) && isRecord(standard.jsonSchema) ? standard.jsonSchema : {};
  if (typeof converter.input === "function") return converter.input({ target: "draft-07" });
  return jsonSchema ?? schema;
}

/** The field of a request body with the system prompt, in formats that have one. */
const SYSTEM_FIELDS: ReadonlyMap<WireId, string> = new Map([
  ["anthropic-messages", "system"],
  ["openai-responses", "instructions"],
  ["gemini", "systemInstruction"],
]);

function wireConverter(codec: MessageCodec): Converter {
  return {
    decode: (messages, { system, tools }) => {
      const field = SYSTEM_FIELDS.get(codec.id);
      if (isRecord(tools)) throw malformed(`tools is an object; pass the list of the ${codec.id} request`);
      const conversation = codec.decodeConversation({
        [codec.messagesField]: messages.map(toJson),
        ...(tools !== undefined && { tools: tools.map(toJson) }),
        ...(field !== undefined && typeof system === "object" && { [field]: toJson(system) }),
      });
      const given = typeof system === "string" ? [textBlock(system)] : [];
      return { ...conversation, system: [...given, ...conversation.system] };
    },
    encode: ({ raw, slots }, messages) => {
      const leading = messages.slice(0, messages.length - raw.messages.length);
      const write = codec.messageWriter(raw, codec.vendor);
      const written = slots.flatMap((slot): readonly unknown[] => {
        const original = messages[leading.length + (slot.kind === "kept" ? slot.index : 0)];
        const isUnchanged = slot.kind === "kept" && slot.changes.length === 0;
        return isUnchanged ? [original] : write(sendable(slot, codec.opensWithSystem));
      });
      return [...leading, ...written];
    },
  };
}

/** The Agents SDK has the items of the Responses API, with other names. */
const AGENTS: Converter = {
  decode: (items, parts) => converterOf("openai-responses").decode(items.map(toResponsesItem), parts),
  encode: (draft, items) => {
    const given = new Set(items);
    const calls = new Map(items.filter(isRecord).map((item) => [`${item.type} ${item.callId}`, item]));
    return converterOf("openai-responses")
      .encode(draft, items)
      .map((item) => (given.has(item) ? item : toAgentItem(item, originalOf(item, calls))));
  },
};

function originalOf(item: unknown, items: ReadonlyMap<string, unknown>): unknown {
  if (!isRecord(item)) return undefined;
  const type = item.type === "function_call_output" ? "function_call_result" : item.type;
  return items.get(`${type} ${item.call_id}`);
}

/** In formats without system messages, a generated one becomes a tagged user message. */
function sendable({ kind, message }: Slot, takesSystemMessages: boolean): Message {
  return kind === "made" && message.role === "system" && !takesSystemMessages ? systemAsUser(message) : message;
}

/**
 * Detects the format of messages by features that only one format has, also of their tools. Messages that all formats share, such as plain
 * texts, count as `openai-chat`. Throws `request.malformed` with the right function for values that are not messages of a known format.
 */
export function formatOf(messages: readonly unknown[], tools?: unknown): MessageFormat {
  for (const [index, message] of messages.entries()) refuseStranger(message, `messages[${index}]`);
  if (messages.some(isModelMessage) || isRecord(tools)) return "ai-sdk";
  if (messages.some(isAgentItem)) return "openai-agents";
  const entries = messages.map((message): JsonValue => toJson(message));
  return MESSAGE_CODECS.find((codec) => entries.some((entry) => isOwnEntry(codec, entry)))?.id ?? "openai-chat";
}

const MODEL_MESSAGE_PARTS: ReadonlySet<unknown> = new Set([
  "tool-call",
  "tool-result",
  "reasoning",
  "reasoning-file",
  "tool-approval-request",
  "tool-approval-response",
]);

function isModelMessage(message: unknown): boolean {
  if (!isRecord(message) || !Array.isArray(message.content)) return false;
  return message.content.some((part) => isRecord(part) && isModelPart(part));
}

/** Images and files have the same names in other formats, but other fields. */
function isModelPart({ type, image, data }: Readonly<Record<string, unknown>>): boolean {
  return (
    MODEL_MESSAGE_PARTS.has(type) || (type === "image" ? image !== undefined : type === "file" && data !== undefined)
  );
}

/** Throws for values that another function takes. */
function refuseStranger(message: unknown, place: string): void {
  if (!isRecord(message)) throw malformed(`${place} is ${message === null ? "null" : typeof message}, not a message`);
  if (Array.isArray(message.blocks)) {
    throw malformed(`${place} is a canonical message; use condense from "@longhaul/condense"`);
  }
  if (typeof message.lc_serializable === "boolean") {
    throw malformed(`${place} is a LangChain message; use condenseMessages from "@longhaul/adapters/langchain"`);
  }
  if (Array.isArray(message.parts) && message.parts.some((part) => isRecord(part) && typeof part.type === "string")) {
    throw malformed(`${place} is a UI message; convert the messages with convertToModelMessages from "ai" first`);
  }
}

/** Returns the list of messages. Throws `request.malformed` with the right argument or function for any other value. */
export function requireList(messages: unknown): readonly unknown[] {
  if (Array.isArray(messages)) return messages;
  if (!isRecord(messages)) throw malformed(`messages is ${typeof messages}, not a list of messages`);
  const isConversation = Array.isArray(messages.system) && Array.isArray(messages.tools);
  if (isConversation) throw malformed(`this is a canonical conversation; use condense from "@longhaul/condense"`);
  const field = MESSAGE_CODECS.map(({ messagesField }) => messagesField).find((name) => Array.isArray(messages[name]));
  if (field !== undefined)
    throw malformed(`this is a request body; pass its ${field}, and its system and tools as options`);
  throw malformed("messages is an object, not a list of messages");
}

/** Returns the tools, if any. Throws `request.malformed` for a value that is neither a list nor an object. */
export function requireTools(tools: unknown): Tools | undefined {
  if (tools === undefined || tools === null) return undefined;
  if (Array.isArray(tools) || isRecord(tools)) return tools;
  throw malformed(`tools is a ${typeof tools}, not a list or the AI SDK's object of tools`);
}

function malformed(why: string): LonghaulError {
  return new LonghaulError("request.malformed", why);
}
