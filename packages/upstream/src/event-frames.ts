import { crc32 } from "node:zlib";
import { isJsonObject, LonghaulError } from "@longhaul/conversation";

/** Length of the whole frame, length of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** AWS allows 16 MiB for a frame's payload and 128 KiB for its headers. */
const MAX_FRAME_BYTES = 17 * 1024 * 1024;
/** The only type of header value that model answers use: a string with two bytes for its length. */
const STRING_TYPE = 7;

/**
 * Turns AWS event-stream frames into server-sent events, so that whoever reads the stream need not know where it came from. Bytes may be
 * cut anywhere; a frame with a wrong checksum and an exception frame throw.
 */
export async function* eventFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    for (let length = frameLength(pending); length !== undefined; length = frameLength(pending)) {
      const event = readFrame(pending.subarray(0, length));
      if (event !== undefined) yield event;
      pending = pending.subarray(length);
    }
  }
  if (pending.length > 0)
    throw new LonghaulError("upstream.broken", "the upstream's stream ended in the middle of a frame");
}

/** The length of the frame at the front, once all of it is there. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < PRELUDE_BYTES) return undefined;
  const length = bytes.readUInt32BE(0);
  if (
    length > MAX_FRAME_BYTES ||
    length < PRELUDE_BYTES + CHECKSUM_BYTES ||
    crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)
  ) {
    throw new LonghaulError("upstream.broken", "the upstream sent a frame whose prelude is damaged");
  }
  return bytes.length < length ? undefined : length;
}

function readFrame(frame: Buffer): Buffer | undefined {
  const end = frame.length - CHECKSUM_BYTES;
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) {
    throw new LonghaulError("upstream.broken", "the upstream sent a frame whose checksum is wrong");
  }
  const headersEnd = PRELUDE_BYTES + frame.readUInt32BE(4);
  const headers = readHeaders(frame.subarray(PRELUDE_BYTES, headersEnd));
  const payload = frame.subarray(headersEnd, end).toString("utf8");
  if (headers.get(":message-type") === "exception")
    throw exceptionOf(headers.get(":exception-type") ?? "exception", payload);
  return headers.get(":event-type") === "chunk" ? writeEvent(payload) : undefined;
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    if (bytes.readUInt8(nameEnd) !== STRING_TYPE) break;
    const valueEnd = nameEnd + 3 + bytes.readUInt16BE(nameEnd + 1);
    headers.set(name, bytes.toString("utf8", nameEnd + 3, valueEnd));
    at = valueEnd;
  }
  return headers;
}

/** A chunk holds one event of Anthropic's own stream, as base64. */
function writeEvent(payload: string): Buffer | undefined {
  const value: unknown = JSON.parse(payload);
  if (!isJsonObject(value) || typeof value.bytes !== "string") return undefined;
  const data = Buffer.from(value.bytes, "base64").toString("utf8");
  const event: unknown = JSON.parse(data);
  const type = isJsonObject(event) && typeof event.type === "string" ? event.type : "message";
  return Buffer.from(`event: ${type}\ndata: ${data}\n\n`);
}

const BUSY = new Set(["throttlingException", "serviceUnavailableException", "modelNotReadyException"]);

function exceptionOf(type: string, payload: string): LonghaulError {
  const code = BUSY.has(type)
    ? "upstream.busy"
    : type === "validationException"
      ? "upstream.refused"
      : "upstream.broken";
  return new LonghaulError(code, `${type}: ${messageIn(payload)}`);
}

function messageIn(payload: string): string {
  try {
    const value: unknown = JSON.parse(payload);
    return isJsonObject(value) && typeof value.message === "string" ? value.message : payload;
  } catch {
    return payload;
  }
}
