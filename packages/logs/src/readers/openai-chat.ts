import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import { type LogDocument, messageList } from "../reading/document.ts";
import { listAt, objectAt } from "../reading/fields.ts";
import { plainReader } from "./plain-reader.ts";

/** Plain Chat Completions JSON: a request body, or its list of messages. */
export const openaiChat = plainReader({
  wire: "openai-chat",
  title: "OpenAI chat JSON",
  defaultModel: "gpt-5",
  recognizes,
});

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
