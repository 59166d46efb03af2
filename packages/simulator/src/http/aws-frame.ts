import { crc32 } from "node:zlib";
import type { StreamEvent } from "../core/api.ts";

const PRELUDE_BYTES = 8;
const CRC_BYTES = 4;
const STRING_TYPE = 7;

/**
 * One message of AWS's event stream encoding: total length, length of headers, checksum of both, headers, payload, checksum of all before
 * it. An event named `…Exception` becomes an exception; any other one becomes a `chunk` that wraps its data in base64, as Bedrock does.
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
