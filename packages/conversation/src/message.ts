import type { Block, CacheMark, Carrier, TextBlock } from "./block.ts";
import { LonghaulError } from "./error.ts";
import { isJsonObject, isJsonValue, type JsonObject } from "./values/json.ts";

/** Author of a message. Tool results have the role `user`; `system` is for instructions in mid-conversation. */
export type Role = "user" | "assistant" | "system";

/** One entry of the history, as the client counts them. */
export interface Message extends Carrier {
  readonly role: Role;
  readonly blocks: readonly Block[];
}

/** A tool that the model may call. */
export interface Tool extends Carrier {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input. Absent for free-text tools and the vendor's built-in tools. */
  readonly inputSchema?: JsonObject;
  /** `function` has a schema, `custom` takes free text, `server` runs at the vendor and exists only in its own format. */
  readonly kind: "function" | "custom" | "server";
  readonly cache?: CacheMark;
}

/** Everything that the model reads. */
export interface Conversation {
  readonly system: readonly Block[];
  readonly tools: readonly Tool[];
  readonly messages: readonly Message[];
}

/** Returns a message with a single text block. */
export function textMessage(role: Role, text: string): Message {
  return { role, blocks: [textBlock(text)] };
}

/** Returns a text block. */
export function textBlock(text: string): TextBlock {
  return { type: "text", text };
}

/** Whether a value is a conversation whose messages, tools and instructions have the parts that every function reads. */
export function isConversation(value: unknown): value is Conversation {
  if (!isJsonObject(value)) return false;
  const { system, tools, messages } = value;
  if (!Array.isArray(system) || !Array.isArray(tools) || !Array.isArray(messages)) return false;
  const areTools = tools.every((tool) => isJsonObject(tool) && areTexts(tool.name));
  return areTools && system.every(isBlock) && messages.every(isMessage);
}

/** Whether a value has the parts of a message that counting, hashing and condensing read. `parseConversation` names the fault. */
export function isMessage(value: unknown): value is Message {
  if (!isJsonObject(value) || !Array.isArray(value.blocks)) return false;
  return (
    (value.role === "user" || value.role === "assistant" || value.role === "system") && value.blocks.every(isBlock)
  );
}

function isBlock(value: unknown): value is Block {
  if (!isJsonObject(value)) return false;
  switch (value.type) {
    case "text":
    case "thinking":
      return areTexts(value.text);
    case "image":
    case "document":
      return isJsonObject(value.source) && Object.values(value.source).every((field) => areTexts(field ?? ""));
    case "tool-call":
      return areTexts(value.id, value.name) && isJsonValue(value.input);
    case "tool-result":
      return areTexts(value.callId) && Array.isArray(value.content) && value.content.every(isBlock);
    case "redacted-thinking":
      return areTexts(value.data);
    case "compaction":
      return value.text === null || areTexts(value.text);
    case "opaque":
      return areTexts(value.kind) && isJsonObject(value.native) && isJsonValue(value.native.value);
    default:
      return false;
  }
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === "string");
}

/** Throws if a conversation has no messages. */
export function requireMessages(messages: readonly Message[]): void {
  if (messages.length === 0) throw new LonghaulError("VALIDATION_ERROR", "Conversation has no messages");
}

/** Throws if a context limit is not positive. */
export function requireContextLimit(tokens: number): void {
  if (!(tokens > 0)) throw new LonghaulError("VALIDATION_ERROR", "Context limit must be positive");
}
