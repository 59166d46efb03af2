import { isJsonObject, type JsonObject, type Message } from "@longhaul/conversation";
import { codecOf, defined } from "@longhaul/wire";
import { decodeHead, decodeMessage, decodeTools } from "../messages/decode.ts";
import { callPerReply, decodeEntries, writeEntries, writeList } from "../messages/entries.ts";
import { type LogDocument, type MessageList, messageList } from "../reading/document.ts";
import { listAt, objectAt, textAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";
import type { CallRecord, LogReading } from "../reading/reading.ts";

const WIRE = "gemini";

/** Plain Gemini JSON: a request body, its list of contents, or a conversation that Gemini CLI saved (`history`). */
export const gemini: LogReader = {
  format: WIRE,
  title: "Gemini JSON",
  wire: WIRE,
  defaultModel: "gemini-2.5-pro",
  recognizes,
  read,
  write: (document, conversation) => writeList(document, writeEntries(WIRE, conversation), fieldOf(document)),
};

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = contentsOf(document);
  const { entries, warnings } = decodeEntries(list, decodeContent);
  if (entries.length === 0) return undefined;
  const messages = entries.map(({ message }) => message);
  const system = body.systemInstruction ?? body.system_instruction ?? null;
  const model = textAt(body, "model");
  return {
    format: WIRE,
    ...(model !== undefined && { model }),
    conversation: {
      system: decodeHead(WIRE, { systemInstruction: system })?.system ?? [],
      tools: decodeTools(WIRE, body),
      messages,
    },
    calls: callPerReply(messages, (reply) => recordOf(entries[reply]?.entry ?? {}, body)),
    sideCalls: [],
    events: [],
    warnings,
  };
}

/** Requires parts: without a role and parts, the API would read an entry as an empty user message. */
function decodeContent(entry: JsonObject): Message | undefined {
  return listAt(entry, "parts") === undefined ? undefined : decodeMessage(WIRE, entry);
}

function contentsOf(document: LogDocument): MessageList {
  return messageList(document, fieldOf(document));
}

function fieldOf({ value }: LogDocument): "contents" | "history" {
  return isJsonObject(value) && value.contents === undefined && listAt(value, "history") ? "history" : "contents";
}

/** Some logs contain a reply's usage beside its content. */
function recordOf(entry: JsonObject, body: JsonObject): CallRecord {
  const usage = objectAt(entry, "usageMetadata");
  const model = textAt(entry, "modelVersion") ?? textAt(body, "model");
  return defined({ model, usage: usage && codecOf(WIRE).decodeUsage(usage), outcome: "finished" });
}

function recognizes(document: LogDocument): boolean {
  return contentsOf(document).list.some((entry) => isJsonObject(entry) && listAt(entry, "parts") !== undefined);
}
