import {
  type JsonObject,
  type JsonValue,
  type Message,
  parseJsonText,
  type Request,
  textMessage,
} from "@longhaul/conversation";
import { asBuffer } from "@longhaul/upstream";
import { type Codec, type Span, splitBody, type WireDestination } from "@longhaul/wire";

/** A request's body, looked into as far as adding to its end needs. */
export interface OpenedBody {
  readonly bytes: Uint8Array;
  readonly codec: Codec;
  /** The fields of the body but its messages. */
  readonly fields: JsonObject;
  /** What it asks for; of its messages it has only the last. */
  readonly request: Request;
  readonly lastMessage: Message;
  /** Where that ends in the bytes. */
  readonly end: number;
}

/** Opens a body. Nothing where it has no messages, or can't be taken apart with certainty. */
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

/** The body with one more message of the user at its end. All bytes before that, and all fields, stay as they are. */
export function appendText({ bytes, codec, end }: OpenedBody, text: string, destination: WireDestination): Uint8Array {
  const conversation = { system: [], tools: [], messages: [textMessage("user", text)] };
  const request = { model: destination.model, conversation, stream: false, sampling: {} };
  const entries = codec.encodeRequest(request, destination).body[codec.messagesField];
  const json = [entries ?? []].flat().map((entry) => `,${JSON.stringify(entry)}`);
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(json.join("")), bytes.subarray(end)]);
}

/** Whether these texts stand in the body's strings, one after the other, however their characters are escaped. */
export function holdsInOrder({ bytes }: OpenedBody, texts: readonly string[]): boolean {
  const body = asBuffer(bytes);
  let from = 0;
  return texts.every((text) => {
    const at = spellings(text)
      .map((spelling) => body.indexOf(spelling, from))
      .find((found) => found !== -1);
    from = at ?? body.length;
    return at !== undefined;
  });
}

/** As JavaScript writes it, and as those do who write nothing but ASCII. */
function spellings(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1);
  const ascii = plain.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return plain === ascii ? [plain] : [plain, ascii];
}
