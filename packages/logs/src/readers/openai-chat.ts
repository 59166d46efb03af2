import { type Conversation, isJsonObject, type JsonObject } from "@longhaul/conversation";
import { decodeMessage, decodeTools } from "../messages/decode.ts";
import { callPerReply, decodeEntries, openingLength, writeEntries, writeList } from "../messages/entries.ts";
import { type LogDocument, messageList } from "../reading/document.ts";
import { listAt, objectAt, textAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";
import type { LogReading } from "../reading/reading.ts";

const WIRE = "openai-chat";

/** Plain Chat Completions JSON: a request body, or its list of messages. */
export const openaiChat: LogReader = {
  format: WIRE,
  title: "OpenAI chat JSON",
  wire: WIRE,
  defaultModel: "gpt-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = messageList(document);
  const { entries, warnings } = decodeEntries(list, (entry) => decodeMessage(WIRE, entry));
  if (entries.length === 0) return undefined;
  const opening = openingLength(entries);
  const messages = entries.slice(opening).map(({ message }) => message);
  const model = textAt(body, "model");
  return {
    format: WIRE,
    ...(model !== undefined && { model }),
    conversation: {
      system: entries.slice(0, opening).flatMap(({ message }) => message.blocks),
      tools: decodeTools(WIRE, body),
      messages,
    },
    calls: callPerReply(messages, () => ({ outcome: "finished", ...(model !== undefined && { model }) })),
    sideCalls: [],
    events: [],
    warnings,
  };
}

function write(document: LogDocument, conversation: Conversation): string {
  const { entries } = decodeEntries(messageList(document).list, (entry) => decodeMessage(WIRE, entry));
  const opening = entries.slice(0, openingLength(entries)).map(({ entry }) => entry);
  return writeList(document, [...opening, ...writeEntries(WIRE, conversation)]);
}

const OWN_ROLES: ReadonlySet<unknown> = new Set(["tool", "function", "developer"]);
const OWN_FIELDS = ["tool_calls", "function_call", "tool_call_id"];
const OWN_PARTS: ReadonlySet<unknown> = new Set(["image_url", "input_audio", "file"]);

function recognizes(document: LogDocument): boolean {
  const { body, list } = messageList(document);
  const [first] = list;
  const opensWithSystem = isJsonObject(first) && first.role === "system";
  const hasFunctions = (listAt(body, "tools") ?? []).some((tool) => isJsonObject(tool) && objectAt(tool, "function"));
  return opensWithSystem || hasFunctions || list.some((entry) => isJsonObject(entry) && isOwn(entry));
}

function isOwn(entry: JsonObject): boolean {
  if (OWN_ROLES.has(entry.role) || OWN_FIELDS.some((field) => field in entry)) return true;
  return (listAt(entry, "content") ?? []).some((part) => isJsonObject(part) && OWN_PARTS.has(part.type));
}
