import { mediaLimitsOf } from "@longhaul/condense";
import type { Part } from "../history/parts.ts";
import type { KnownMessage } from "../known/known-messages.ts";
import type { FitRequest, Form } from "./fit-request.ts";

/** Whether a request sent in this form has more or larger images, or more bytes, than the upstream takes. */
export function hasSurplusMedia(fitRequest: FitRequest, form: Form): boolean {
  const { maxImages, maxImageBytes, maxBodyBytes } = mediaLimitsOf(fitRequest.destination.match.model);
  const sent = keptMessages(fitRequest, form);
  const images = sent.reduce((sum, message) => sum + message.images, 0);
  const largest = sent.reduce((most, message) => Math.max(most, message.imageBytes), 0);
  return (
    images > (maxImages ?? images) || largest > (maxImageBytes ?? largest) || isTooLong(fitRequest, form, maxBodyBytes)
  );
}

/** The messages that go out as they came. Those that we write hold no images that were to go. */
function keptMessages({ history }: FitRequest, { rendering }: Form): readonly KnownMessage[] {
  if (rendering === undefined) return history.messages;
  const { parts, messages } = rendering;
  const kept = parts.flatMap((part) => (part.kind === "kept" ? history.messages.slice(part.from, part.to) : []));
  return [...kept, ...history.messages.slice(messages)];
}

function isTooLong({ call, history }: FitRequest, { rendering }: Form, maxBytes = Number.POSITIVE_INFINITY): boolean {
  if (call.body.length <= maxBytes) return false;
  const { layout } = history;
  if (rendering === undefined || layout === undefined) return true;
  const { spans } = layout;
  const raw = (from: number, to: number) => spans.slice(from, to).reduce((sum, span) => sum + span.to - span.from, 0);
  const bytesOf = (part: Part) => (part.kind === "kept" ? raw(part.from, part.to) : Buffer.byteLength(part.json));
  const rest = call.body.length - raw(0, rendering.messages);
  return rendering.parts.reduce((sum, part) => sum + bytesOf(part), rest) > maxBytes;
}
