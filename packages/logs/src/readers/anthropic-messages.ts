import { isJsonObject } from "@longhaul/conversation";
import { defined } from "@longhaul/wire";
import { decodeMessage, decodeSystem } from "../messages/decode.ts";
import { messageList } from "../reading/document.ts";
import { extraFields, objectAt, textAt } from "../reading/fields.ts";
import { plainReader } from "./plain-reader.ts";

const WIRE = "anthropic-messages";

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

/** Plain Messages API JSON: a request body, or its list of messages. */
export const anthropicMessages = plainReader({
  wire: WIRE,
  title: "Anthropic messages JSON",
  defaultModel: "claude-sonnet-4-5",
  recognizes: (document) =>
    messageList(document).list.some((entry) => isJsonObject(entry) && decodeMessage(WIRE, entry) !== undefined),
  decodeEntry: (entry) => {
    const isReply = Object.keys(entry).some((key) => REPLY_FIELDS.has(key));
    return decodeMessage(WIRE, isReply ? (extraFields(entry, REPLY_FIELDS).extra ?? {}) : entry);
  },
  systemIn: ({ system }) => decodeSystem(WIRE, system),
  recordIn: (entry, body) =>
    defined({ model: textAt(entry, "model") ?? textAt(body, "model"), usage: objectAt(entry, "usage") }),
});
