import { crc32 } from "node:zlib";
import { isJsonObject, LonghaulError, parseJsonText, tryParseJson } from "@longhaul/conversation/advanced";

/** Length of the whole frame, length of its headers, and the checksum of both. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** AWS allows 16 MiB for a frame's payload and 128 KiB for its headers. */
const MAX_FRAME_BYTES = 17 * 1024 * 1024;
/** The only type of header value that model answers use: a string with two bytes for its length. */
const STRING_TYPE = 7;

/** Turns AWS frames, cut anywhere, into server-sent events. Unreadable and exception frames throw an upstream error. */
export async function* eventFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let neededBytes = PRELUDE_BYTES;
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    // Joins chunks only when a frame is complete: joining at every chunk would take quadratic time for a large frame.
    if (pendingBytes < neededBytes) continue;
    let rest = Buffer.concat(pending);
    for (neededBytes = frameLength(rest); rest.length >= neededBytes; neededBytes = frameLength(rest)) {
      const event = readFrame(rest.subarray(0, neededBytes));
      if (event !== undefined) yield event;
      rest = rest.subarray(neededBytes);
    }
    pending = rest.length === 0 ? [] : [rest];
    pendingBytes = rest.length;
  }
  if (pendingBytes > 0) throw broken("stream ended in the middle of a frame");
}

/** Returns the length of the first frame, or of its prelude if that is all that is known. */
function frameLength(bytes: Buffer): number {
  if (bytes.length < PRELUDE_BYTES) return PRELUDE_BYTES;
  const length = bytes.readUInt32BE(0);
  const isDamaged =
    length > MAX_FRAME_BYTES ||
    length < PRELUDE_BYTES + CHECKSUM_BYTES + bytes.readUInt32BE(4) ||
    crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8);
  if (isDamaged) throw broken("frame has a damaged prelude");
  return length;
}

function readFrame(frame: Buffer): Buffer | undefined {
  const end = frame.length - CHECKSUM_BYTES;
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw broken("frame has a wrong checksum");
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
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    if (bytes[nameEnd] !== STRING_TYPE) break;
    const valueFrom = nameEnd + 3;
    const valueEnd = valueFrom <= bytes.length ? valueFrom + bytes.readUInt16BE(nameEnd + 1) : valueFrom;
    if (valueEnd > bytes.length) throw broken("frame has headers that end too early");
    headers.set(name, bytes.toString("utf8", valueFrom, valueEnd));
    at = valueEnd;
  }
  return headers;
}

/** A chunk contains one event of Anthropic's own stream, as base64. */
function writeEvent(payload: string): Buffer | undefined {
  const value = parse(payload);
  if (!isJsonObject(value) || typeof value.bytes !== "string") return undefined;
  const data = Buffer.from(value.bytes, "base64").toString("utf8");
  const event = parse(data);
  const type = isJsonObject(event) && typeof event.type === "string" ? event.type : "message";
  return Buffer.from(`event: ${inOneLine(type)}\ndata: ${inOneLine(data)}\n\n`);
}

function parse(json: string): unknown {
  try {
    return parseJsonText(json);
  } catch (cause) {
    throw broken("frame is not valid JSON", cause);
  }
}

/** A line break would end the event's field. In JSON it is only white space between two tokens. */
function inOneLine(text: string): string {
  return text.replace(/[\r\n]/g, " ");
}

function broken(what: string, cause?: unknown): LonghaulError {
  return new LonghaulError("upstream.broken", `the upstream's ${what}; try again`, { cause });
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
  const value = tryParseJson(payload);
  return isJsonObject(value) && typeof value.message === "string" ? value.message : payload;
}
