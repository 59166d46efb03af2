import { crc32 } from "node:zlib";

/** One message of AWS's event stream encoding. */
export interface ReadFrame {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

/** Reads messages of AWS's event stream encoding; throws where a checksum is wrong. */
export function readFrames(bytes: Buffer): ReadFrame[] {
  const frames: ReadFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const total = bytes.readUInt32BE(at);
    frames.push(readFrame(bytes.subarray(at, at + total)));
    at += total;
  }
  return frames;
}

function readFrame(frame: Buffer): ReadFrame {
  if (frame.readUInt32BE(8) !== crc32(frame.subarray(0, 8))) throw new Error("the prelude's checksum is wrong");
  if (frame.readUInt32BE(frame.length - 4) !== crc32(frame.subarray(0, -4))) throw new Error("the checksum is wrong");
  const headersEnd = 12 + frame.readUInt32BE(4);
  return { headers: readHeaders(frame.subarray(12, headersEnd)), payload: frame.subarray(headersEnd, -4).toString() };
}

function readHeaders(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const valueStart = nameEnd + 3;
    const valueEnd = valueStart + bytes.readUInt16BE(nameEnd + 1);
    headers[bytes.subarray(at + 1, nameEnd).toString()] = bytes.subarray(valueStart, valueEnd).toString();
    at = valueEnd;
  }
  return headers;
}
