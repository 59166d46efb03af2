import type { Tokenizer } from "../catalog/model.ts";
import { remember } from "../remember.ts";
import { type EncodingName, loadTextCounter } from "./encodings.ts";
import { makeTokenCounter } from "./make-token-counter.ts";
import { makeSizeMemory, type SizeMemory, type SizeMemoryOptions } from "./size-memory.ts";
import { charactersOverFour, type TextCounter } from "./text-counter.ts";
import type { RememberingCounter, TokenCounter } from "./token-counter.ts";
import { TOKENIZER_FAMILIES } from "./tokenizer-families.ts";

/** Counters for every family, with encodings and memories that they share. Keep one for as long as requests come. */
export interface TokenCounters {
  /** A counter for models of this tokenizer. Its encoding is loaded when it is first needed. */
  counterFor(tokenizer: Tokenizer, ratio?: number): Promise<RememberingCounter>;
}

/** Makes the place where counters come from. */
export function makeTokenCounters(options: SizeMemoryOptions = {}): TokenCounters {
  const textCounters = new Map<EncodingName, Promise<TextCounter>>();
  const memories = new Map<Tokenizer, SizeMemory>();
  return {
    async counterFor(tokenizer, ratio) {
      const family = TOKENIZER_FAMILIES[tokenizer];
      const countText = await remember(textCounters, family.encoding, loadTextCounter);
      const memory = remember(memories, tokenizer, () => makeSizeMemory(options));
      return makeTokenCounter({ family, countText, memory, ...(ratio !== undefined && { ratio }) });
    },
  };
}

/** A counter that needs no vocabulary: characters over four, for callers that know nothing of the model. */
export function makeRoughCounter(): TokenCounter {
  return makeTokenCounter({ family: TOKENIZER_FAMILIES.other, countText: charactersOverFour, ratio: 1 });
}
