import { isJsonObject, type JsonObject, type JsonValue, type Message } from "@longhaul/conversation";
import { decodeMessage, decodeTools } from "../decode.ts";
import { type LogDocument, messageList } from "../document.ts";
import { callPerReply, decodeEntries } from "../entries.ts";
import { listAt, objectAt, textAt } from "../fields.ts";
import type { LogReader } from "../reader.ts";
import type { LogReading } from "../reading.ts";

const WIRE = "openai-chat";

/** Plain Chat Completions JSON: a request body, or its list of messages. */
export const openaiChat: LogReader = { format: WIRE, title: "OpenAI chat JSON", recognizes, read };

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = messageList(document);
  const { entries, warnings } = decodeEntries(list, (entry) => decodeMessage(WIRE, entry));
  if (entries.length === 0) return undefined;
  const all = entries.map(({ message }) => message);
  const opening = leadingSystem(all);
  const messages = all.slice(opening);
  const model = textAt(body, "model");
  return {
    format: WIRE,
    conversation: {
      system: all.slice(0, opening).flatMap(({ blocks }) => blocks),
      tools: decodeTools(WIRE, body),
      messages,
    },
    calls: callPerReply(messages, () => ({ outcome: "finished", ...(model !== undefined && { model }) })),
    sideCalls: [],
    events: [],
    warnings,
  };
}

/** System messages that open the list are the system prompt; later ones are messages. */
function leadingSystem(messages: readonly Message[]): number {
  const first = messages.findIndex((message) => message.role !== "system");
  return first === -1 ? messages.length : first;
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
  return (listAt(entry, "content") ?? []).some(isOwnPart);
}

function isOwnPart(part: JsonValue): boolean {
  return isJsonObject(part) && OWN_PARTS.has(part.type);
}
