import type { JsonObject, WireId } from "@longhaul/conversation";
import { EMPTY_STYLES, setEmptyReplyFields } from "@longhaul/wire/testing";
import fc from "fast-check";
import { type Frame, writeFrames } from "./recording.ts";

/** How a stream's bytes are cut and its empty fields are spelled. */
export interface Variant {
  /** Sizes of the pieces in bytes; the last size repeats. */
  readonly cuts: readonly number[];
  /** Spellings of the events in turn, from the first again after the last. */
  readonly styles: readonly ReplyStyle[];
}

/** How the empty fields of one event, or of a whole reply, are spelled. */
type ReplyStyle = "as recorded" | (typeof EMPTY_STYLES)[number];

/** All of them. */
export const REPLY_STYLES: readonly ReplyStyle[] = ["as recorded", ...EMPTY_STYLES];

/** The stream in one piece, as it was recorded. */
export const AS_RECORDED: Variant = { cuts: [Number.POSITIVE_INFINITY], styles: ["as recorded"] };

/** Variants that spell all events of a stream in one way, each as the arguments of a property. */
export const UNIFORM_VARIANTS = EMPTY_STYLES.map((style): [Variant] => [{ cuts: [7], styles: [style] }]);

/** Any cuts, and any mix of spellings. */
export function anyVariant(): fc.Arbitrary<Variant> {
  return fc.record({
    cuts: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
    styles: fc.array(fc.constantFrom(...REPLY_STYLES), { minLength: 1, maxLength: 5 }),
  });
}

/** The pieces of a stream in a variant. */
export function piecesOf(frames: readonly Frame[], wire: WireId, { cuts, styles }: Variant): readonly Uint8Array[] {
  const styled = frames.map((frame, index) => {
    if ("comment" in frame || frame.data === "[DONE]") return frame;
    const style = styles[index % styles.length];
    return { ...frame, data: JSON.stringify(withStyle(JSON.parse(frame.data), wire, style)) };
  });
  return cut(writeFrames(styled), cuts);
}

/** Spells the empty fields of a whole reply or of one event. */
export function withStyle(value: JsonObject, wire: WireId, style: ReplyStyle = "as recorded"): JsonObject {
  return style === "as recorded" ? value : setEmptyReplyFields(value, wire, style);
}

/** Cuts a text into pieces. */
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
