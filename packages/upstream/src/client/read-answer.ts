import { isJsonObject, LonghaulError } from "@longhaul/conversation";
import { brokenReply, type Codec, parseJson } from "@longhaul/wire";
import type { Outgoing, Upstream } from "../requests/upstream.ts";
import type { Incoming } from "../transport/connection.ts";
import { retryAfterMs } from "./retry.ts";
import { hasMark } from "./stream-end.ts";

/** Size limit of an answer that is read as a whole. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Reads an answer's whole body. One over the limit throws `upstream.broken`. */
export function readWhole(body: AsyncIterable<Uint8Array>, limitBytes = MAX_ANSWER_BYTES): Promise<Buffer> {
  return collect(body, limitBytes, () => tooLargeAnswer(limitBytes));
}

/** Returns the error for an answer over the size limit. */
export function tooLargeAnswer(limitBytes = MAX_ANSWER_BYTES): LonghaulError {
  const limit = `${Math.floor(limitBytes / (1024 * 1024))} MiB`;
  return new LonghaulError("upstream.broken", `the upstream's response is larger than ${limit}; ask for a shorter one`);
}

/** Returns whether an answer is streamed. Some deployments use their own framing instead of server-sent events. */
export function isStreamed(
  { headers }: Pick<Incoming, "headers">,
  { deployment }: Pick<Upstream, "deployment">,
  { stream }: Pick<Outgoing, "stream">,
): boolean {
  const isEvents = headers["content-type"]?.includes("text/event-stream") === true;
  return isEvents || (deployment.frames !== undefined && stream);
}

const GOOD = 200;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Reads the body of an answer with status 200 and checks that it is a JSON object. With a `codec` it must also be a reply: the format's
 * marks are searched for, and only a body without them is parsed. Anything else throws `upstream.broken`, or the error in the body.
 */
export async function readGoodBody({ headers, body }: Omit<Incoming, "status">, codec?: Codec): Promise<Buffer> {
  const bytes = asBuffer(withoutBom(await readWhole(body)));
  const isObject =
    bytes[skipSpace(bytes, 0, 1)] === OPENING && bytes[skipSpace(bytes, bytes.length - 1, -1)] === CLOSING;
  if (!isObject) throw brokenReply(bytes.length === 0 ? "it is empty" : "it is not a JSON object");
  const isReply = codec === undefined || hasMark(bytes, codec.markers.reply);
  // Without a length or chunks, a truncated body looks complete.
  const isFramed = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  if (!isReply || !isFramed) checkReply(bytes, codec);
  return bytes;
}

/** Returns the position of the first byte from `at` on that is not a space, in steps of 1 or -1. */
function skipSpace(bytes: Uint8Array, at: number, step: number): number {
  let next = at;
  while (isSpace(bytes[next])) next += step;
  return next;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function checkReply(bytes: Buffer, codec: Codec | undefined): void {
  const value = parseAnswer(bytes);
  if (codec === undefined) return;
  checkError(value, codec);
  codec.decodeReply(value);
}

/** Parses the body of a reply. Invalid JSON throws `upstream.broken`. */
export function parseAnswer(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    throw brokenReply("it is not valid JSON", cause);
  }
}

/** Throws the error that some upstreams send with status 200. */
export function checkError(value: unknown, codec: Codec): void {
  if (isJsonObject(value) && isJsonObject(value.error)) throw codec.decodeError(GOOD, value);
}

/** Removes a byte order mark, which JSON parsers and event stream clients reject. */
export function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Reads an answer with a status of 400 or more, and returns its body if it is JSON. Some are not, because a proxy sent them. */
export async function readRefusal({ status, headers, body }: Incoming, codec: Codec) {
  const whole = asBuffer(withoutBom(await readWhole(body)));
  const value = parsed(whole);
  // A proxy's HTML page is not quoted to clients.
  const said = mediaKind(headers["content-type"]) === "unexpected" ? null : (value ?? whole.toString("utf8"));
  const error = withRetryAfter(codec.decodeError(status, said), retryAfterMs(headers));
  return { error, ...(value !== undefined && { body: whole }) };
}

function parsed(bytes: Buffer): unknown {
  try {
    const value = parseJson(bytes);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The header overrides the body. */
function withRetryAfter(error: LonghaulError, requestedMs: number | undefined): LonghaulError {
  if (requestedMs === undefined) return error;
  const { code, message, status, overflow, param, faults, cause } = error;
  const known = { ...(overflow && { overflow }), ...(param !== undefined && { param }) };
  return new LonghaulError(code, message, { status, faults, cause, ...known, retryAfterMs: requestedMs });
}

/** Returns a view of the same bytes with Buffer's methods to search and to read text. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Collects all bytes of a stream. Over the limit it stops reading and throws the error that `tooLarge` returns. */
export async function collect(
  stream: AsyncIterable<Uint8Array>,
  limitBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const [only, ...others] = chunks;
  // Most bodies are small enough to arrive as one chunk.
  return only !== undefined && others.length === 0 ? asBuffer(only) : Buffer.concat(chunks, length);
}

/** How an answer's media type is treated: sent unchanged, sent as a file to save, or not sent. */
export type MediaKind = "data" | "file" | "unexpected";

const DATA =
  /^(?:application\/(?:json|[\w.-]+\+json|x-ndjson|jsonl|x-jsonl|vnd\.amazon\.eventstream)|text\/event-stream)$/;
/** Nearly every answer has one of these; other types are matched. */
const USUAL: ReadonlySet<string> = new Set([
  "application/json",
  "text/event-stream",
  "text/event-stream; charset=utf-8",
]);
const FILE =
  /^(?:(?:audio|video)\/[\w.+-]+|image\/(?:png|jpeg|webp|gif|avif)|application\/(?:octet-stream|binary|pdf|zip|gzip|x-subrip)|text\/(?:plain|csv|vtt))$/;

/** Classifies a content type. A missing one counts as data, because `nosniff` keeps browsers from guessing. */
export function mediaKind(contentType: string | undefined): MediaKind {
  if (contentType === undefined || USUAL.has(contentType)) return "data";
  // Browsers use the last of several types, so a list never counts as its first one.
  const [essence = ""] = contentType.includes(",") ? [] : contentType.split(";");
  const type = essence.trim().toLowerCase();
  if (DATA.test(type)) return "data";
  return FILE.test(type) ? "file" : "unexpected";
}
