import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  MAX_JSON_DEPTH,
  parseJsonText,
} from "@longhaul/conversation";
import { isShallow } from "../fields/json.ts";

/** Reads an upstream's reply, which must have the field that holds what it says. */
export function readReplyObject(body: unknown, field: string): JsonObject {
  if (!isJsonObject(body) || (body[field] ?? undefined) === undefined) throw brokenReply(`it has no "${field}"`);
  if (!isShallow(body)) throw brokenReply("it is nested too deeply");
  return body;
}

/** Reads a part of a reply with a reader of requests: what does not fit is the upstream's fault, not the client's. */
export function withReplyErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "request.malformed") throw brokenReply(error.message, error);
    throw error;
  }
}

/** Takes a step in a stream; where what came can't be read, the stream ends with the error instead of throwing it. */
export function catchStepError<T>(step: () => T, fail: (error: LonghaulError) => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof LonghaulError) return fail(error);
    throw error;
  }
}

/** Reads the data of an event; nothing where it is not a JSON object, or a bottomless one. */
export function parseEventData(data: string): JsonObject | undefined {
  try {
    const value: unknown = parseJsonText(data);
    // A short text can't be deep, and most events are short.
    return isJsonObject(value) && (data.length < MAX_JSON_DEPTH || isShallow(value)) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the number or the id by which a stream names a block or an item; an absent one is 0. */
export function readKey(value: JsonValue | undefined): string {
  const key = value ?? 0;
  if (typeof key === "number" || typeof key === "string") return `${key}`;
  throw brokenReply(`a block is named by ${JSON.stringify(key).slice(0, 100)}, not by a number`);
}

/** The error for an event that `parseData` could not read. Its data is for the log: a proxy may have written it. */
export function unreadableEvent(data: string): LonghaulError {
  return brokenReply("an event is not a JSON object", data.slice(0, 100));
}

/** The error for a stream that ends before its reply does. */
export function truncatedStream(): LonghaulError {
  return new LonghaulError("upstream.broken", "the upstream's stream broke off before the reply ended; try again");
}

/** The error for a reply that does not decode. */
export function brokenReply(what: string, cause?: unknown): LonghaulError {
  return new LonghaulError("upstream.broken", `the upstream's reply can't be read: ${what}; try again`, { cause });
}
