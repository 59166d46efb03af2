import {
  type JsonObject,
  type JsonValue,
  type Message,
  parseJsonText,
  type Request,
  textMessage,
} from "@longhaul/conversation/advanced";
import { asBuffer } from "@longhaul/upstream";
import { type Codec, type Span, splitBody, type WireDestination } from "@longhaul/wire";

/** A request's body, parsed as far as appending a message needs. */
export interface OpenedBody {
  readonly bytes: Uint8Array;
  readonly codec: Codec;
  /** The fields of the body without its messages. */
  readonly fields: JsonObject;
  /** Contains only the last message. */
  readonly request: Request;
  readonly lastMessage: Message;
  /** The end of that message in the bytes. */
  readonly end: number;
}

/** Opens a body. Returns undefined if it has no messages or cannot be split with certainty. */
export function openBody(bytes: Uint8Array, codec: Codec): OpenedBody | undefined {
  const split = splitBody(bytes, codec.messagesField);
  const last = split?.items.at(-1);
  if (split === undefined || last === undefined) return undefined;
  const named = [...split.fields].filter(([name]) => name !== codec.messagesField);
  try {
    const fields: JsonObject = Object.fromEntries(named.map(([name, span]) => [name, parse(bytes, span)]));
    const entry = parse(bytes, last);
    const request = codec.decodeRequest({ ...fields, [codec.messagesField]: [entry] }, { model: "" });
    return { bytes, codec, fields, request, lastMessage: codec.decodeMessage(entry), end: last.to };
  } catch {
    return undefined;
  }
}

function parse(bytes: Uint8Array, { from, to }: Span): JsonValue {
  return parseJsonText(asBuffer(bytes).toString("utf8", from, to));
}

/** Appends a user message. All bytes before it and all fields stay the same. */
export function appendText({ bytes, codec, end }: OpenedBody, text: string, destination: WireDestination): Uint8Array {
  const conversation = { system: [], tools: [], messages: [textMessage("user", text)] };
  const request = { model: destination.model, conversation, stream: false, sampling: {} };
  const entries = codec.encodeRequest(request, destination).body[codec.messagesField];
  const json = [entries ?? []].flat().map((entry) => `,${JSON.stringify(entry)}`);
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(json.join("")), bytes.subarray(end)]);
}

/** Returns whether the body's strings contain these texts in this order, in any escaping. */
export function containsInOrder({ bytes }: OpenedBody, texts: readonly string[]): boolean {
  const body = asBuffer(bytes);
  let from = 0;
  return texts.every((text) => {
    const at = escapedForms(text)
      .map((form) => body.indexOf(form, from))
      .find((found) => found !== -1);
    from = at ?? body.length;
    return at !== undefined;
  });
}

/** As JavaScript escapes it, and as writers of pure ASCII do. */
function escapedForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return plain === ascii ? [plain] : [plain, ascii];
}
