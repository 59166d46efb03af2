import { isJsonObject, type JsonObject, type Message } from "@longhaul/conversation";
import { codecOf, defined } from "@longhaul/wire";
import { decodeMessage, decodeSystem, decodeTools } from "../messages/decode.ts";
import { callPerReply, decodeEntries, writeEntries, writeList } from "../messages/entries.ts";
import { type LogDocument, messageList } from "../reading/document.ts";
import { extraFields, objectAt, textAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";
import type { CallRecord, LogReading } from "../reading/reading.ts";

const WIRE = "anthropic-messages";

/** Plain Messages API JSON: a request body, or its list of messages. */
export const anthropicMessages: LogReader = {
  format: WIRE,
  title: "Anthropic messages JSON",
  wire: WIRE,
  defaultModel: "claude-sonnet-4-5",
  recognizes,
  read,
  write: (document, conversation) => writeList(document, writeEntries(WIRE, conversation)),
};

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = messageList(document);
  const { entries, warnings } = decodeEntries(list, decodeEntry);
  if (entries.length === 0) return undefined;
  const messages = entries.map(({ message }) => message);
  const model = textAt(body, "model");
  return defined({
    format: WIRE,
    model,
    conversation: { system: decodeSystem(WIRE, body.system), tools: decodeTools(WIRE, body), messages },
    calls: callPerReply(messages, (reply) => recordOf(entries[reply]?.entry ?? {}, body)),
    sideCalls: [],
    events: [],
    warnings,
  });
}

/** Fields that only a reply has. Some logs contain whole replies as messages. */
const REPLY_FIELDS: ReadonlySet<string> = new Set([
  "id",
  "type",
  "model",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "usage",
  "container",
]);

function decodeEntry(entry: JsonObject): Message | undefined {
  const isReply = Object.keys(entry).some((key) => REPLY_FIELDS.has(key));
  return decodeMessage(WIRE, isReply ? (extraFields(entry, REPLY_FIELDS).extra ?? {}) : entry);
}

function recordOf(entry: JsonObject, body: JsonObject): CallRecord {
  const usage = objectAt(entry, "usage");
  const model = textAt(entry, "model") ?? textAt(body, "model");
  return defined({ model, usage: usage && codecOf(WIRE).decodeUsage(usage), outcome: "finished" });
}

function recognizes(document: LogDocument): boolean {
  return messageList(document).list.some((entry) => isJsonObject(entry) && decodeMessage(WIRE, entry) !== undefined);
}
