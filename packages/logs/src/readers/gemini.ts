import { isJsonObject } from "@longhaul/conversation";
import { defined } from "@longhaul/wire";
import { decodeHead, decodeMessage } from "../messages/decode.ts";
import { type LogDocument, type MessageList, messageList } from "../reading/document.ts";
import { listAt, objectAt, textAt } from "../reading/fields.ts";
import { plainReader } from "./plain-reader.ts";

const WIRE = "gemini";

/** Plain Gemini JSON: a request body, its list of contents, or a conversation that Gemini CLI saved (`history`). */
export const gemini = plainReader({
  wire: WIRE,
  title: "Gemini JSON",
  defaultModel: "gemini-2.5-pro",
  recognizes: (document) =>
    contentsOf(document).list.some((entry) => isJsonObject(entry) && listAt(entry, "parts") !== undefined),
  listIn: contentsOf,
  // Requires parts: without a role and parts, the API would read an entry as an empty user message.
  decodeEntry: (entry) => (listAt(entry, "parts") === undefined ? undefined : decodeMessage(WIRE, entry)),
  systemIn: ({ systemInstruction, system_instruction }) =>
    decodeHead(WIRE, { systemInstruction: systemInstruction ?? system_instruction ?? null })?.system ?? [],
  // Some logs contain a reply's usage beside its content.
  recordIn: (entry, body) =>
    defined({ model: textAt(entry, "modelVersion") ?? textAt(body, "model"), usage: objectAt(entry, "usageMetadata") }),
  fieldIn,
});

function contentsOf(document: LogDocument): MessageList {
  return messageList(document, fieldIn(document));
}

function fieldIn({ value }: LogDocument): "contents" | "history" {
  return isJsonObject(value) && value.contents === undefined && listAt(value, "history") ? "history" : "contents";
}
