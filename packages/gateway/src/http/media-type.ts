import { LonghaulError } from "@longhaul/conversation";
import { mediaKind } from "@longhaul/upstream";
import type { Outcome } from "./outcome.ts";

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
