import {
  type Block,
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  type Message,
  type OpaqueBlock,
  type ResultBlock,
  type Tool,
  type WireId,
} from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { listAt, textAt } from "../reading/fields.ts";

/**
 * Reads an entry of a wire format's messages as the gateway reads it. A log is not refused for a part that breaks the format's rules:
 * that part is kept whole, as an opaque block. Nothing where the entry itself can't be read.
 */
export function decodeMessage(wire: WireId, entry: JsonObject): Message | undefined {
  if (!isItem(wire, entry) && entry[partsField(wire)] === undefined && entry.role !== "assistant") return undefined;
  return readStrictly(wire, entry) ?? readByParts(wire, entry);
}

/** Whether an entry is no message but a call, an answer or the like, as the Responses format has them. */
function isItem(wire: WireId, { type }: JsonObject): boolean {
  return wire === "openai-responses" && typeof type === "string" && type !== "message";
}

/** Where the entries of a format have what they say. */
function partsField(wire: WireId): "content" | "parts" {
  return wire === "gemini" ? "parts" : "content";
}

/** Reads the blocks of a system prompt. */
export function decodeSystem(wire: WireId, system: JsonValue | undefined): readonly Block[] {
  return system === undefined ? [] : (decodeMessage(wire, { role: "system", content: system })?.blocks ?? []);
}

/** Reads the tools of a request body, as far as they can be read. */
export function decodeTools(wire: WireId, body: JsonObject): readonly Tool[] {
  return (listAt(body, "tools") ?? []).flatMap((tool) => decodeHead(wire, { tools: [tool] })?.tools ?? []);
}

/** Reads what a request body says besides its messages; nothing where it can't be read. */
export function decodeHead(wire: WireId, fields: JsonObject): Omit<Conversation, "messages"> | undefined {
  const { decodeRequest, messagesField } = codecOf(wire);
  return unlessMalformed(() => decodeRequest({ model: "", [messagesField]: [], ...fields }).conversation);
}

function readStrictly(wire: WireId, entry: JsonObject): Message | undefined {
  return unlessMalformed(() => codecOf(wire).decodeMessage(entry));
}

/** Reads an entry with something harmless in place of each part that can't be read, and puts the parts back. */
function readByParts(wire: WireId, entry: JsonObject): Message | undefined {
  const field = partsField(wire);
  const unreadable = new Map<JsonValue, JsonValue>();
  const parts = listAt(entry, field)?.map((part) => {
    if (readStrictly(wire, { role: "user", [field]: [part] }) !== undefined) return part;
    const standIn = { type: "unreadable" };
    unreadable.set(standIn, part);
    return standIn;
  });
  const message = parts && readStrictly(wire, { ...entry, [field]: parts });
  if (message === undefined) return undefined;
  const putBack = <B extends Block>(block: B): B | OpaqueBlock => {
    const part = block.native && unreadable.get(block.native.value);
    return part === undefined ? block : opaque(wire, part);
  };
  return {
    ...message,
    blocks: message.blocks.map((block) => withParts(block, putBack)),
    native: { wire, value: entry },
  };
}

function withParts(block: Block, putBack: <B extends Block>(block: B) => B | OpaqueBlock): Block {
  if (block.type !== "tool-result") return putBack(block);
  return { ...block, content: block.content.map((part): ResultBlock => putBack(part)) };
}

function opaque(wire: WireId, value: JsonValue): OpaqueBlock {
  const kind = isJsonObject(value) ? textAt(value, "type") : undefined;
  return { type: "opaque", kind: kind ?? "unknown", native: { wire, value } };
}

function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "request.malformed") return undefined;
    throw error;
  }
}
