import type { Tokenizer } from "../catalog/model.ts";
import { remember } from "../catalog/remember.ts";
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

/** What counters take from outside. */
export interface TokenCountersOptions extends SizeMemoryOptions {
  /** Loads an encoding. @default from the package that holds their vocabularies */
  readonly loadEncoding?: (name: EncodingName) => Promise<TextCounter>;
}

/** Makes the place where counters come from. An encoding that cannot be loaded is replaced by characters over four. */
export function makeTokenCounters({
  loadEncoding = loadTextCounter,
  ...options
}: TokenCountersOptions = {}): TokenCounters {
  const load = (name: EncodingName) => loadEncoding(name).catch(() => charactersOverFour);
  const textCounters = new Map<EncodingName, Promise<TextCounter>>();
  const memories = new Map<Tokenizer, SizeMemory>();
  return {
    async counterFor(tokenizer, ratio) {
      const family = TOKENIZER_FAMILIES[tokenizer];
      const countText = await remember(textCounters, family.encoding, load);
      const memory = remember(memories, tokenizer, () => makeSizeMemory(options));
      return makeTokenCounter({ family, tokenizer, countText, memory, ...(ratio !== undefined && { ratio }) });
    },
  };
}

/** A counter that needs no vocabulary: characters over four, for callers that know nothing of the model. */
export function makeRoughCounter(): TokenCounter {
  return makeTokenCounter({ family: TOKENIZER_FAMILIES.other, countText: charactersOverFour, ratio: 1 });
}
