import { isJsonObject, type Request } from "@longhaul/conversation";
import { type Destination, splitScanned } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import { findCodec } from "@longhaul/wire";
import type { Call } from "../call.ts";

/** Whether nobody but the gateway leaves the reasoning out of an answer: the client's format is not the upstream's, or that has no such wish. */
export function isHiddenHere({ codec, endpoint }: Call, { wire, handle }: Destination): boolean {
  const isSameFormat = codec.id === wire && endpoint.wire === wire;
  return !isSameFormat || handle.connection.upstream.deployment.quirks.showsReasoning === "always";
}

/**
 * Whether reasoning that the client does not want must come to the gateway, because some models refuse tool calls that come back without
 * it: OpenRouter, told to leave it out, gives nothing to send back. Not where a client wants it left out and does not ask for any.
 */
export function isNeededHere(request: Request, { handle, match }: Destination): boolean {
  if (handle.connection.upstream.deployment.quirks.showsReasoning !== "unless-excluded") return false;
  if (request.conversation.tools.length === 0) return false;
  return match.model.reasoning.onByDefault || !isBareExclusion(request);
}

/** Whether all that a client says of reasoning is that it does not want to see it. */
export function isBareExclusion({ native, reasoning: read }: Request): boolean {
  if (read?.effort !== undefined || !isJsonObject(native?.value)) return false;
  return findCodec(native.wire)?.reasoning.excludesOnly(native.value) ?? false;
}

const WISH = '"exclude"';

/** Whether a body may ask OpenRouter for an answer without the reasoning. Of most the fields need not be looked for. */
export function mentionsExclusion(body: Uint8Array, messagesField: string): boolean {
  const bytes = asBuffer(body);
  if (!bytes.includes(WISH)) return false;
  const span = splitScanned(body, messagesField)?.fields.get("reasoning");
  return span !== undefined && bytes.subarray(span.from, span.to).includes(WISH);
}
