import type { Conversation, JsonObject, JsonValue, WireId } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import type { LogDocument } from "../reading/document.ts";
import { isJsonList } from "../reading/fields.ts";

/** The messages of a conversation as entries of a wire format; what nobody changed is written as it came. */
export function writeEntries(wire: WireId, conversation: Conversation): readonly JsonValue[] {
  const { messageWriter, vendor } = codecOf(wire);
  return conversation.messages.flatMap(messageWriter(conversation, vendor));
}

/** Puts a new list of messages into a JSON document, in the place of the old one. */
export function writeList({ value }: LogDocument, list: readonly JsonValue[], field = "messages"): string {
  const whole = isJsonList(value) || typeof value !== "object" ? list : { ...value, [field]: list };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** One object per line. */
export function writeLines(lines: readonly JsonObject[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
