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

export interface DecodedEntry {
  readonly line: number;
  readonly entry: JsonObject;
  readonly message: Message;
}

export function decodeEntries(list: readonly JsonValue[], decode: (entry: JsonObject) => Message | undefined) {
  const entries: DecodedEntry[] = [];
  const warnings: LogWarning[] = [];
  for (const [index, entry] of list.entries()) {
    const line = index + 1;
    const message = isJsonObject(entry) ? decode(entry) : undefined;
    if (isJsonObject(entry) && message !== undefined) entries.push({ line, entry, message });
    else warnings.push({ line, message: `entry ${line} was skipped: unknown role or unreadable content` });
  }
  return { entries, warnings };
}

/** Returns one call per reply. The prompt of a call is everything before its reply. */
export function callPerReply(messages: readonly Message[], record: (reply: number) => CallRecord): LoggedCall[] {
  const replies = [...messages.keys()].filter((index) => messages[index]?.role === "assistant");
  return replies.map((reply) => ({ ...record(reply), prompt: { from: 0, to: reply }, reply }));
}

/** Returns the number of leading system messages, which form the system prompt. */
export function openingLength(entries: readonly DecodedEntry[]): number {
  const first = entries.findIndex(({ message }) => message.role !== "system");
  return first === -1 ? entries.length : first;
}

/** Appends an item of the Responses format. Consecutive items of the model are one message, unless `isNewReply`. */
export function addItem(messages: Message[], item: Message, isNewReply = false): void {
  const last = messages.at(-1);
  const continues = !isNewReply && item.role === "assistant" && last?.role === "assistant";
  if (continues) messages[messages.length - 1] = { role: "assistant", blocks: [...last.blocks, ...item.blocks] };
  else messages.push(item);
}

/** Encodes the messages of a conversation as entries of a wire format. Unchanged messages are written as received. */
export function writeEntries(wire: WireId, conversation: Conversation): readonly JsonValue[] {
  const { messageWriter, vendor } = codecOf(wire);
  return conversation.messages.flatMap(messageWriter(conversation, vendor));
}

export function writeList({ value }: LogDocument, list: readonly JsonValue[], field = "messages"): string {
  const whole = isJsonList(value) || typeof value !== "object" ? list : { ...value, [field]: list };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

export function writeLines(lines: readonly JsonObject[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
