import type { JsonObject } from "@longhaul/conversation";
import type { WireEvent } from "../codec.ts";

/** A block that comes whole; a thinking block's signature has to come as a delta. */
export function wholeBlock(index: number, block: JsonObject): readonly WireEvent[] {
  if (block.type !== "thinking") return [blockStart(index, block), blockStop(index)];
  const signature = blockDelta(index, { type: "signature_delta", signature: block.signature ?? "" });
  return [blockStart(index, { ...block, signature: "" }), signature, blockStop(index)];
}

/** More of a text. Most events of a stream are these, so they are written without building an object. */
export function textDelta(index: number, text: string): WireEvent {
  const delta = `{"type":"text_delta","text":${JSON.stringify(text)}}`;
  return { event: "content_block_delta", data: `{"type":"content_block_delta","index":${index},"delta":${delta}}` };
}

/** The start of a block. */
export function blockStart(index: number, block: JsonObject): WireEvent {
  return wireEvent("content_block_start", { type: "content_block_start", index, content_block: block });
}

/** More of a block. */
export function blockDelta(index: number, delta: JsonObject): WireEvent {
  return wireEvent("content_block_delta", { type: "content_block_delta", index, delta });
}

/** The end of a block. */
export function blockStop(index: number): WireEvent {
  return wireEvent("content_block_stop", { type: "content_block_stop", index });
}

/** The `event:` line is not an ornament: Anthropic's SDK skips events without one. */
export function wireEvent(event: string, value: JsonObject): WireEvent {
  return { event, data: JSON.stringify(value) };
}
