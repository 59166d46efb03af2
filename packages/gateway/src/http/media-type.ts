import { LonghaulError } from "@longhaul/conversation";
import type { Outcome } from "./outcome.ts";

/** How an answer's media type is treated: sent as it is, sent as a file to save, or not sent. */
type MediaKind = "data" | "file" | "unexpected";

const DATA =
  /^(?:application\/(?:json|[\w.-]+\+json|x-ndjson|jsonl|x-jsonl|vnd\.amazon\.eventstream)|text\/event-stream)$/;
/** Nearly every answer has one of these; the rest is matched. */
const USUAL: ReadonlySet<string> = new Set([
  "application/json",
  "text/event-stream",
  "text/event-stream; charset=utf-8",
]);
const FILE =
  /^(?:(?:audio|video)\/[\w.+-]+|image\/(?:png|jpeg|webp|gif|avif)|application\/(?:octet-stream|binary|pdf|zip|gzip|x-subrip)|text\/(?:plain|csv|vtt))$/;

/** The kind of a content type. A missing one is data, because `nosniff` keeps browsers from guessing. */
export function mediaKind(contentType: string | undefined): MediaKind {
  if (contentType === undefined || USUAL.has(contentType)) return "data";
  // Browsers take the last of several types, so a list is never taken for its first one.
  const [essence = ""] = contentType.includes(",") ? [] : contentType.split(";");
  const type = essence.trim().toLowerCase();
  if (DATA.test(type)) return "data";
  return FILE.test(type) ? "file" : "unexpected";
}

/**
 * Makes an answer of the model API safe to open at the dashboard's origin: files are saved and never shown. An unexpected type, such as
 * HTML, throws `upstream.broken` unless the client asked for a file's content.
 */
export async function withSafeType(outcome: Outcome, isFileAsked: boolean): Promise<Outcome> {
  const { headers, body } = outcome;
  const type = headers["content-type"];
  const kind = mediaKind(type);
  if (kind === "data") return outcome;
  if (kind === "unexpected" && !isFileAsked) {
    if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.();
    throw new LonghaulError("upstream.broken", "the upstream answered with a media type that no model API has");
  }
  const told = kind === "unexpected" ? { "content-type": "application/octet-stream" } : {};
  return { ...outcome, headers: { ...headers, ...told, "content-disposition": dispositionOf(headers) } };
}

/** The upstream's own if it saves the file, because it may name it. */
function dispositionOf({ "content-disposition": given = "" }: Outcome["headers"]): string {
  return /^attachment\s*(?:;|$)/i.test(given) ? given : "attachment";
}
