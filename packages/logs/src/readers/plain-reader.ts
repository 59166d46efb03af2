import { type Block, isJsonObject, type JsonObject, type Message, type WireId } from "@longhaul/conversation";
import { codecOf, defined } from "@longhaul/wire";
import { decodeLimits, decodeMessage, decodeTools } from "../messages/decode.ts";
import {
  addItem,
  callPerReply,
  type DecodedEntry,
  decodeEntries,
  openingLength,
  writeEntries,
  writeList,
} from "../messages/entries.ts";
import { type LogDocument, type MessageList, messageList } from "../reading/document.ts";
import { textAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";

/** Plain JSON of a wire format: a request body, or its list of messages. */
interface PlainFormat extends Pick<LogReader, "title" | "defaultModel" | "recognizes"> {
  readonly wire: WireId;
  /** Returns the body, and the entries to read. @default its `messages` */
  listIn?(document: LogDocument): MessageList;
  /** Decodes an entry. @default like the gateway */
  decodeEntry?(entry: JsonObject): Message | undefined;
  /** Decodes the field of a body that has the system prompt. @default none */
  systemIn?(body: JsonObject): readonly Block[];
  /** Returns what a reply's entry, or the body, records about a call. @default the body's model */
  recordIn?(entry: JsonObject, body: JsonObject, isLast: boolean): { model?: string; usage?: JsonObject };
  /** Returns the name of the list in a document. @default `messages` */
  fieldIn?(document: LogDocument): string;
  /** Returns a body without what becomes part of the list. @default the whole body */
  bodyToWrite?(body: JsonObject): JsonObject;
}

/** Creates the reader of a wire format's plain JSON. Leading system messages form the system prompt where the format says so. */
export function plainReader(format: PlainFormat): LogReader {
  const { wire, title, defaultModel, recognizes, listIn = messageList } = format;
  const { opensWithSystem, decodeUsage } = codecOf(wire);
  const decode = format.decodeEntry ?? ((entry: JsonObject) => decodeMessage(wire, entry));
  const recordIn: NonNullable<PlainFormat["recordIn"]> =
    format.recordIn ?? ((_, body) => defined({ model: textAt(body, "model") }));
  const openingOf = (entries: readonly DecodedEntry[]) => (opensWithSystem ? openingLength(entries) : 0);
  return {
    format: wire,
    title,
    wire,
    defaultModel,
    recognizes,
    read(document) {
      const { body, list } = listIn(document);
      const { entries, warnings } = decodeEntries(list, decode);
      if (entries.length === 0) return undefined;
      const opening = openingOf(entries);
      const prompt = entries.slice(0, opening).flatMap(({ message }) => message.blocks);
      const messages = messagesOf(wire, entries.slice(opening));
      const last = messages.findLastIndex(({ role }) => role === "assistant");
      return defined({
        format: wire,
        model: textAt(body, "model"),
        limits: decodeLimits(wire, body),
        conversation: {
          system: [...(format.systemIn?.(body) ?? []), ...prompt],
          tools: decodeTools(wire, body),
          messages,
        },
        calls: callPerReply(messages, (reply) => {
          const { model, usage } = recordIn(entries[opening + reply]?.entry ?? {}, body, reply === last);
          return defined({ model, usage: usage && decodeUsage(usage), outcome: "finished" });
        }),
        sideCalls: [],
        events: [],
        warnings,
      });
    },
    write(document, conversation) {
      const { body, list } = listIn(document);
      const { entries } = decodeEntries(list, decode);
      const opening = entries.slice(0, openingOf(entries)).map(({ entry }) => entry);
      const value = isJsonObject(document.value) ? (format.bodyToWrite?.(body) ?? body) : (document.value ?? []);
      return writeList(
        { ...document, value },
        [...opening, ...writeEntries(wire, conversation)],
        format.fieldIn?.(document),
      );
    },
  };
}

/** Items of the Responses format that belong to one reply become one message. */
function messagesOf(wire: WireId, entries: readonly DecodedEntry[]): readonly Message[] {
  if (wire !== "openai-responses") return entries.map(({ message }) => message);
  const messages: Message[] = [];
  for (const { message } of entries) addItem(messages, message);
  return messages;
}
