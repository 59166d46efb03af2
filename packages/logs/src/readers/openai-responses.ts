import { type Conversation, isJsonObject, type JsonObject, type JsonValue, type Message } from "@longhaul/conversation";
import { codecOf, defined } from "@longhaul/wire";
import { decodeHead, decodeMessage, decodeTools } from "../messages/decode.ts";
import { addItem, callPerReply, decodeEntries, openingLength, writeEntries, writeList } from "../messages/entries.ts";
import { type LogDocument, type MessageList, messageList } from "../reading/document.ts";
import { isJsonList, listAt, objectAt, textAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";
import type { CallRecord, LogReading } from "../reading/reading.ts";

const WIRE = "openai-responses";

/** Plain Responses JSON: a request body, its list of items, or a request with the reply's `output` and `usage` in it. */
export const openaiResponses: LogReader = {
  format: WIRE,
  title: "OpenAI responses JSON",
  wire: WIRE,
  defaultModel: "gpt-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = itemsOf(document);
  const { entries, warnings } = decodeEntries(list, (entry) => decodeMessage(WIRE, entry));
  if (entries.length === 0) return undefined;
  const opening = openingLength(entries);
  const messages: Message[] = [];
  for (const { message } of entries.slice(opening)) addItem(messages, message);
  const prompt = entries.slice(0, opening).flatMap(({ message }) => message.blocks);
  const instructions = decodeHead(WIRE, { instructions: body.instructions ?? null })?.system ?? [];
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const model = textAt(body, "model");
  return defined({
    format: WIRE,
    model,
    conversation: { system: [...instructions, ...prompt], tools: decodeTools(WIRE, body), messages },
    calls: callPerReply(messages, (reply) => recordOf(body, reply === last)),
    sideCalls: [],
    events: [],
    warnings,
  });
}

/** Returns the input, followed by the reply's output if the document contains it. */
function itemsOf(document: LogDocument): MessageList {
  const { body, list } = messageList(document, "input");
  const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : list;
  return { body, list: [...input, ...(listAt(body, "output") ?? [])] };
}

/** A reply in the document becomes part of the input. */
function write(document: LogDocument, conversation: Conversation): string {
  const { body, list } = itemsOf(document);
  const { entries } = decodeEntries(list, (entry) => decodeMessage(WIRE, entry));
  const opening = entries.slice(0, openingLength(entries)).map(({ entry }) => entry);
  const { output: _output, usage: _usage, ...request } = body;
  const value = isJsonObject(document.value) ? request : (document.value ?? []);
  return writeList({ ...document, value }, [...opening, ...writeEntries(WIRE, conversation)], "input");
}

/** The document's usage belongs to the last call. */
function recordOf(body: JsonObject, isLast: boolean): CallRecord {
  const model = textAt(body, "model");
  const usage = isLast ? objectAt(body, "usage") : undefined;
  return defined({ model, usage: usage && codecOf(WIRE).decodeUsage(usage), outcome: "finished" });
}

const OWN_ITEMS: ReadonlySet<unknown> = new Set([
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "reasoning",
  "item_reference",
]);
const OWN_PARTS: ReadonlySet<unknown> = new Set(["input_text", "output_text", "input_image", "input_file"]);

function recognizes(document: LogDocument): boolean {
  const { body, list } = itemsOf(document);
  if (body.messages !== undefined) return false;
  return typeof body.input === "string" || (isJsonList(body.input) && list.length > 0) || list.some(isOwn);
}

function isOwn(item: JsonValue): boolean {
  if (!isJsonObject(item)) return false;
  const isMessage = item.type === undefined || item.type === "message";
  if (!isMessage) return OWN_ITEMS.has(item.type);
  return (listAt(item, "content") ?? []).some((part) => isJsonObject(part) && OWN_PARTS.has(part.type));
}
