import {
  type Block,
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
import { isJsonList, listAt, textAt } from "./fields.ts";

/**
 * Reads an entry of a wire format's messages as the gateway reads it. A log is not refused for a part that breaks the format's rules:
 * that part is kept whole, as an opaque block. Nothing where the entry itself can't be read.
 */
export function decodeMessage(wire: WireId, entry: JsonObject): Message | undefined {
  if (entry.content === undefined && entry.role !== "assistant") return undefined;
  return readStrictly(wire, entry) ?? readByParts(wire, entry);
}

/** Reads the blocks of a system prompt. */
export function decodeSystem(wire: WireId, system: JsonValue | undefined): readonly Block[] {
  return system === undefined ? [] : (decodeMessage(wire, { role: "system", content: system })?.blocks ?? []);
}

/** Reads the tools of a request body, as far as they can be read. */
export function decodeTools(wire: WireId, body: JsonObject): readonly Tool[] {
  const { decodeRequest } = codecOf(wire);
  return (listAt(body, "tools") ?? []).flatMap(
    (tool) => unlessMalformed(() => decodeRequest({ model: "", messages: [], tools: [tool] }).conversation.tools) ?? [],
  );
}

function readStrictly(wire: WireId, entry: JsonObject): Message | undefined {
  return unlessMalformed(() => codecOf(wire).decodeMessage(entry));
}

/** Reads an entry with something harmless in place of each part that can't be read, and puts the parts back. */
function readByParts(wire: WireId, entry: JsonObject): Message | undefined {
  if (!isJsonList(entry.content)) return undefined;
  const unreadable = new Map<JsonValue, JsonValue>();
  const content = entry.content.map((part) => {
    if (readStrictly(wire, { role: "user", content: [part] }) !== undefined) return part;
    const standIn = { type: "unreadable" };
    unreadable.set(standIn, part);
    return standIn;
  });
  const message = readStrictly(wire, { ...entry, content });
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
