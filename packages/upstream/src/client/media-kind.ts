/** How an answer's media type is treated: sent as it is, sent as a file to save, or not sent. */
export type MediaKind = "data" | "file" | "unexpected";

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
