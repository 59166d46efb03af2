import type { JsonObject, WireId } from "@longhaul/conversation";
import { respellReply, SPELLINGS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { type Frame, spellFrames } from "./recording.ts";

/** How a stream's bytes are cut and its empty fields are spelled. */
export interface Variant {
  /** Sizes of the pieces in bytes; the last size repeats. */
  readonly cuts: readonly number[];
  /** Spellings of the events in turn, from the first again after the last. */
  readonly spellings: readonly ReplySpelling[];
}

/** How the empty fields of one event, or of a whole reply, are spelled. */
type ReplySpelling = "as recorded" | (typeof SPELLINGS)[number];

/** All of them. */
export const REPLY_SPELLINGS: readonly ReplySpelling[] = ["as recorded", ...SPELLINGS];

/** The stream in one piece, as it was recorded. */
export const AS_RECORDED: Variant = { cuts: [Number.POSITIVE_INFINITY], spellings: ["as recorded"] };

/** Variants that spell all events of a stream in one way, each as the arguments of a property. */
export const UNIFORM_VARIANTS = SPELLINGS.map((spelling): [Variant] => [{ cuts: [7], spellings: [spelling] }]);

/** Any cuts, and any mix of spellings. */
export function anyVariant(): fc.Arbitrary<Variant> {
  return fc.record({
    cuts: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }),
    spellings: fc.array(fc.constantFrom(...REPLY_SPELLINGS), { minLength: 1, maxLength: 5 }),
  });
}

/** The pieces of a stream in a variant. */
export function piecesOf(frames: readonly Frame[], wire: WireId, { cuts, spellings }: Variant): readonly Uint8Array[] {
  const respelled = frames.map((frame, index) => {
    if ("comment" in frame || frame.data === "[DONE]") return frame;
    const spelling = spellings[index % spellings.length];
    return { ...frame, data: JSON.stringify(respell(JSON.parse(frame.data), wire, spelling)) };
  });
  return cut(spellFrames(respelled), cuts);
}

/** Spells the empty fields of a whole reply or of one event. */
export function respell(value: JsonObject, wire: WireId, spelling: ReplySpelling = "as recorded"): JsonObject {
  return spelling === "as recorded" ? value : respellReply(value, wire, spelling);
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
