import { makeBytePairCounter, type TextCounter } from "./bpe/byte-pair-counter.ts";
import { cl100kPieceEnd, o200kPieceEnd } from "./bpe/pieces.ts";
import { parseVocabulary } from "./bpe/vocabulary.ts";

/** An encoding with a public vocabulary. */
export type EncodingName = "o200k" | "cl100k";

/** Loads an encoding and returns an exact counter. Loading takes a tenth of a second and 10 MB, so keep the counter. */
export async function loadTextCounter(name: EncodingName): Promise<TextCounter> {
  switch (name) {
    case "o200k": {
      const file = await import("tiktoken/encoders/o200k_base.json", { with: { type: "json" } });
      return makeBytePairCounter(parseVocabulary(file.default.bpe_ranks), o200kPieceEnd);
    }
    case "cl100k": {
      const file = await import("tiktoken/encoders/cl100k_base.json", { with: { type: "json" } });
      return makeBytePairCounter(parseVocabulary(file.default.bpe_ranks), cl100kPieceEnd);
    }
    default:
      return name satisfies never;
  }
}
