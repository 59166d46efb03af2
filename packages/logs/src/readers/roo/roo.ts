import { type Conversation, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { decodeSystem } from "../../messages/decode.ts";
import { decodeEntries } from "../../messages/entries.ts";
import { writeEntries, writeList } from "../../messages/write.ts";
import { type LogDocument, messageList } from "../../reading/document.ts";
import { isJsonList, textAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { LogReading } from "../../reading/reading.ts";
import { decodeMessage } from "./message.ts";
import { transcribe } from "./transcript.ts";

/**
 * The API history that Roo Code, Zoo Code and Cline keep of a task: Anthropic messages with notes of the client's own. Tools that are XML
 * inside text stay text here.
 */
export const roo: LogReader = {
  format: "roo",
  title: "Roo Code, Zoo Code or Cline API history (JSON)",
  wire: "anthropic-messages",
  typicalModel: "claude-sonnet-4-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = messageList(document);
  const { entries, warnings } = decodeEntries(list, decodeMessage);
  if (entries.length === 0) return undefined;
  const { messages, calls, compactions } = transcribe(entries);
  return {
    format: "roo",
    conversation: { system: decodeSystem("anthropic-messages", textAt(body, "system_prompt")), tools: [], messages },
    calls,
    sideCalls: [],
    events: compactions,
    warnings,
  };
}

/** Messages that nobody changed keep the client's notes; the others get a time, by which the client knows a history from a request. */
function write(document: LogDocument, conversation: Conversation): string {
  const { entries } = decodeEntries(messageList(document).list, decodeMessage);
  const notes = new Map(entries.map(({ entry }) => [entry.content, entry]));
  const written = writeEntries("anthropic-messages", conversation).filter(isJsonObject);
  const list = written.map((entry, index) => {
    const { role: _role, content: _content, ...own } = notes.get(entry.content ?? null) ?? { ts: index };
    return { ...entry, ...own };
  });
  return writeList(document, list);
}

const OWN_FIELDS = ["ts", "modelInfo", "metrics", "condenseId", "condenseParent", "truncationId", "truncationParent"];
const OWN_TEXTS = ["<task>", "<environment_details>"];

/** A request body has a model; a history has none. */
function recognizes(document: LogDocument): boolean {
  const { body, list } = messageList(document);
  return body.model === undefined && list.some(isOwn);
}

function isOwn(entry: JsonValue): boolean {
  if (!isJsonObject(entry) || textAt(entry, "role") === undefined) return false;
  return OWN_FIELDS.some((field) => field in entry) || (entry.role === "user" && hasOwnText(entry));
}

function hasOwnText({ content }: JsonObject): boolean {
  const parts = isJsonList(content) ? content.map((part) => (isJsonObject(part) ? part.text : part)) : [content];
  const texts = parts.filter((part) => typeof part === "string");
  return texts.some((text) => OWN_TEXTS.some((start) => text.trimStart().startsWith(start)));
}
