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
import { codecOf, defined } from "@longhaul/wire";
import { listAt, textAt } from "../reading/fields.ts";
import type { RequestLimits } from "../reading/reading.ts";

/** Decodes an entry like the gateway; a part that violates the format becomes an opaque block. Undefined if it cannot be decoded. */
export function decodeMessage(wire: WireId, entry: JsonObject): Message | undefined {
  // In the Responses format, an item other than a message, such as a call or a result, has no parts.
  const isItem = wire === "openai-responses" && typeof entry.type === "string" && entry.type !== "message";
  if (!isItem && entry[partsField(wire)] === undefined && entry.role !== "assistant") return undefined;
  return readStrictly(wire, entry) ?? readByParts(wire, entry);
}

function partsField(wire: WireId): "content" | "parts" {
  return wire === "gemini" ? "parts" : "content";
}

export function decodeSystem(wire: WireId, system: JsonValue | undefined): readonly Block[] {
  return system === undefined ? [] : (decodeMessage(wire, { role: "system", content: system })?.blocks ?? []);
}

export function decodeTools(wire: WireId, body: JsonObject): readonly Tool[] {
  return (listAt(body, "tools") ?? []).flatMap((tool) => decodeHead(wire, { tools: [tool] })?.tools ?? []);
}

/** Decodes everything in a request body except its messages. Returns undefined if that is malformed. */
export function decodeHead(wire: WireId, fields: JsonObject): Omit<Conversation, "messages"> | undefined {
  const { decodeRequest, messagesField } = codecOf(wire);
  return unlessMalformed(() => decodeRequest({ model: "", [messagesField]: [], ...fields }).conversation);
}

/** Decodes the output limit and the reasoning of a request body. Returns undefined if it has neither, or is malformed. */
export function decodeLimits(wire: WireId, body: JsonObject): RequestLimits | undefined {
  const { decodeRequest, messagesField } = codecOf(wire);
  const request = unlessMalformed(() => decodeRequest({ model: "", ...body, [messagesField]: [] }));
  const { maxOutputTokens, reasoning } = request ?? {};
  if (maxOutputTokens === undefined && reasoning === undefined) return undefined;
  return defined({ maxOutputTokens, reasoning });
}

function readStrictly(wire: WireId, entry: JsonObject): Message | undefined {
  return unlessMalformed(() => codecOf(wire).decodeMessage(entry));
}

/** Decodes an entry with a placeholder for each malformed part, then puts the parts back as opaque blocks. */
function readByParts(wire: WireId, entry: JsonObject): Message | undefined {
  const field = partsField(wire);
  const unreadable = new Map<JsonValue, JsonValue>();
  const parts = listAt(entry, field)?.map((part) => {
    if (readStrictly(wire, { role: "user", [field]: [part] }) !== undefined) return part;
    const placeholder = { type: "unreadable" };
    unreadable.set(placeholder, part);
    return placeholder;
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
