import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type WireId,
} from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import type { LogDocument } from "../reading/document.ts";
import { isJsonList } from "../reading/fields.ts";
import type { CallRecord, LoggedCall, LogWarning } from "../reading/reading.ts";

/** The readable entries of a JSON document's list of messages, each with its message, and warnings about the others. */
export interface DecodedEntries {
  readonly entries: readonly DecodedEntry[];
  readonly warnings: readonly LogWarning[];
}

/** An entry and the message that it holds. */
export interface DecodedEntry {
  readonly line: number;
  readonly entry: JsonObject;
  readonly message: Message;
}

/** Decodes every entry that `decode` can read. */
export function decodeEntries(
  list: readonly JsonValue[],
  decode: (entry: JsonObject) => Message | undefined,
): DecodedEntries {
  const entries: DecodedEntry[] = [];
  const warnings: LogWarning[] = [];
  for (const [index, entry] of list.entries()) {
    const line = index + 1;
    const message = isJsonObject(entry) ? decode(entry) : undefined;
    if (isJsonObject(entry) && message !== undefined) entries.push({ line, entry, message });
    else warnings.push({ line, message: `entry ${line} has no known role or no readable content; it was skipped` });
  }
  return { entries, warnings };
}

/** One call for each reply, of which the log says nothing but what `record` finds; everything before the reply was its prompt. */
export function callPerReply(messages: readonly Message[], record: (reply: number) => CallRecord): LoggedCall[] {
  const replies = [...messages.keys()].filter((index) => messages[index]?.role === "assistant");
  return replies.map((reply) => ({ ...record(reply), prompt: { from: 0, to: reply }, reply }));
}

/** How many system messages open the list: they are the system prompt, and later ones are messages. */
export function openingLength(entries: readonly DecodedEntry[]): number {
  const first = entries.findIndex(({ message }) => message.role !== "system");
  return first === -1 ? entries.length : first;
}

/**
 * Adds an item of the Responses format to the messages so far. The items that a model gave one after the other are one reply, and so one
 * message, unless `isNewReply` says that another call gave this one.
 */
export function addItem(messages: Message[], item: Message, isNewReply = false): void {
  const last = messages.at(-1);
  const continues = !isNewReply && item.role === "assistant" && last?.role === "assistant";
  if (continues) messages[messages.length - 1] = { role: "assistant", blocks: [...last.blocks, ...item.blocks] };
  else messages.push(item);
}

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
