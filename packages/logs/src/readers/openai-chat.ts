import { isJsonObject } from "@longhaul/conversation";
import { codecOf, isOwnEntry } from "@longhaul/wire";
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

function recognizes(document: LogDocument): boolean {
  const { body, list } = messageList(document);
  const [first] = list;
  const opensWithSystem = isJsonObject(first) && first.role === "system";
  const hasFunctions = (listAt(body, "tools") ?? []).some((tool) => isJsonObject(tool) && objectAt(tool, "function"));
  return opensWithSystem || hasFunctions || list.some((entry) => isOwnEntry(codecOf("openai-chat"), entry));
}
