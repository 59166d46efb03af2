import type { JsonObject, WireId } from "@longhaul/conversation";
import { EMPTY_STYLES, setEmptyReplyFields } from "@longhaul/wire/testing";
import fc from "fast-check";
import { type Frame, writeFrames } from "./recording.ts";

/** How a stream is split into chunks and how its empty fields are written. */
export interface Variant {
  /** Chunk sizes in bytes. The last size repeats. */
  readonly cuts: readonly number[];
  /** Styles of the events, repeated from the first. */
  readonly styles: readonly ReplyStyle[];
}

/** How the empty fields of an event or a complete reply are written. */
type ReplyStyle = "as recorded" | (typeof EMPTY_STYLES)[number];

export const REPLY_STYLES: readonly ReplyStyle[] = ["as recorded", ...EMPTY_STYLES];

/** The recorded stream in one chunk. */
export const AS_RECORDED: Variant = { cuts: [Number.POSITIVE_INFINITY], styles: ["as recorded"] };

/** Variants with one style for all events, as examples for a property. */
export const UNIFORM_VARIANTS = EMPTY_STYLES.map((style): [Variant] => [{ cuts: [7], styles: [style] }]);

/** Any chunk sizes and any mix of styles. */
export function anyVariant(): fc.Arbitrary<Variant> {
  return fc.record({
    cuts: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
    styles: fc.array(fc.constantFrom(...REPLY_STYLES), { minLength: 1, maxLength: 5 }),
  });
}

/** Returns the chunks of a stream in a variant. */
export function piecesOf(frames: readonly Frame[], wire: WireId, { cuts, styles }: Variant): readonly Uint8Array[] {
  const styled = frames.map((frame, index) => {
    if ("comment" in frame || frame.data === "[DONE]") return frame;
    const style = styles[index % styles.length];
    return { ...frame, data: JSON.stringify(withStyle(JSON.parse(frame.data), wire, style)) };
  });
  return cut(writeFrames(styled), cuts);
}

/** Writes the empty fields of a complete reply or an event in a style. */
export function withStyle(value: JsonObject, wire: WireId, style: ReplyStyle = "as recorded"): JsonObject {
  return style === "as recorded" ? value : setEmptyReplyFields(value, wire, style);
}

/** Splits text into chunks. */
export function cut(text: string, cuts: Variant["cuts"]): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const length = cuts[Math.min(turn, cuts.length - 1)] ?? bytes.length;
    pieces.push(bytes.subarray(from, from + length));
    from += length;
  }
  return pieces;
}
