import { isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";

/** Reads an upstream's reply, which must have the field that holds what it says. */
export function readReplyObject(body: unknown, field: string): JsonObject {
  if (isJsonObject(body) && body[field] !== undefined) return body;
  throw brokenReply(`it has no "${field}"`);
}

/** Reads a part of a reply with a reader of requests: what does not fit is the upstream's fault, not the client's. */
export function readingReply<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LonghaulError && error.code === "request.malformed") throw brokenReply(error.message);
    throw error;
  }
}

/** What is wrong with a reply that does not decode. */
export function brokenReply(what: string): LonghaulError {
  return new LonghaulError("upstream.broken", `the upstream's reply can't be read: ${what}; try again`);
}
