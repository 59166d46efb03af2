import { crc32 } from "node:zlib";
import type { Reply, StreamEvent } from "../core/api.ts";

export interface EncodedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** One for each event; a plain reply has one. */
  readonly chunks: readonly Uint8Array[];
}

export function encodeReply(reply: Reply): EncodedReply {
  if (reply.kind === "stream") return encodeStream(reply);
  const { status, headers, body } = reply;
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return {
    status,
    headers: { "content-type": "application/json", ...headers, "content-length": `${bytes.length}` },
    chunks: [bytes],
  };
}

const CONTENT_TYPES = {
  sse: "text/event-stream; charset=utf-8",
  aws: "application/vnd.amazon.eventstream",
  list: "application/json; charset=UTF-8",
} as const;

function encodeStream({ headers, events, framing }: Extract<Reply, { kind: "stream" }>): EncodedReply {
  const chunks = framing === "sse" ? events.map((event) => Buffer.from(writeSse(event))) : encodeData(events, framing);
  return {
    status: 200,
    headers: { "content-type": CONTENT_TYPES[framing], "cache-control": "no-cache", ...headers },
    chunks,
  };
}

/** Frames and arrays have no comments. */
function encodeData(events: readonly StreamEvent[], framing: "aws" | "list"): readonly Uint8Array[] {
  const withData = events.filter(({ data }) => data !== undefined);
  if (framing === "aws") return withData.map(encodeFrame);
  const last = withData.length - 1;
  return withData.map(({ data }, at) => Buffer.from(`${at === 0 ? "[" : ",\r\n"}${data}${at === last ? "]" : ""}`));
}

export function writeSse({ event, data, comment }: StreamEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split("\n").map((line) => `data: ${line}`)),
  ];
  return `${lines.join("\n")}\n\n`;
}

const PRELUDE_BYTES = 8;
const CRC_BYTES = 4;
const STRING_TYPE = 7;

/**
 * Encodes one message of AWS's event stream: total length, length of headers, checksum of both, headers, payload, checksum of everything
 * before. An event named `…Exception` becomes an exception, any other a `chunk` with its data in base64, as in Bedrock.
 */
export function encodeFrame({ event = "", data = "" }: StreamEvent): Uint8Array {
  const isException = event.endsWith("Exception");
  const kind = isException ? "exception" : "event";
  const headers = Buffer.concat([
    header(":message-type", kind),
    header(`:${kind}-type`, isException ? event : "chunk"),
    header(":content-type", "application/json"),
  ]);
  const payload = Buffer.from(isException ? data : JSON.stringify({ bytes: Buffer.from(data).toString("base64") }));
  const total = PRELUDE_BYTES + CRC_BYTES + headers.length + payload.length + CRC_BYTES;
  const prelude = Buffer.concat([uint32(total), uint32(headers.length)]);
  const checked = Buffer.concat([prelude, uint32(crc32(prelude)), headers, payload]);
  return Buffer.concat([checked, uint32(crc32(checked))]);
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([STRING_TYPE]),
    length,
    Buffer.from(value),
  ]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
