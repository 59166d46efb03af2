import {
  type Block,
  type Conversation,
  fingerprint,
  type Hash,
  LonghaulError,
  type Message,
  stableStringify,
  type Tool,
} from "@longhaul/conversation/advanced";
import { getOrCreate } from "../catalog/get-or-create.ts";
import type { Tokenizer } from "../catalog/model.ts";
import { countByCharacters, type TextCounter } from "./bpe/byte-pair-counter.ts";
import { type EncodingName, loadTextCounter } from "./encodings.ts";
import { type MeasureRules, measureBlock, measureTool, type Size, toolContent } from "./measure.ts";
import { makeSizeCache, type SizeCache, type SizeCacheOptions } from "./size-cache.ts";
import { TOKENIZER_FAMILIES, type TokenizerFamily } from "./tokenizer-families.ts";

/** Counters for all families, with shared encodings and caches. Keep one for the lifetime of the process. */
export interface TokenCounters {
  /** Returns a counter for models with this tokenizer. Its encoding is loaded on first use. */
  counterFor(tokenizer: Tokenizer, ratio?: number): Promise<CachingCounter>;
}

/** Options of the counters. */
export interface TokenCountersOptions extends SizeCacheOptions {
  /** Loads an encoding. @default from the package with the vocabularies */
  readonly loadEncoding?: (name: EncodingName) => Promise<TextCounter>;
}

/** Creates the counters. If an encoding cannot be loaded, tokens are estimated from characters. */
export function makeTokenCounters({
  loadEncoding = loadTextCounter,
  ...options
}: TokenCountersOptions = {}): TokenCounters {
  const load = (name: EncodingName) => loadEncoding(name).catch(() => countByCharacters);
  const textCounters = new Map<EncodingName, Promise<TextCounter>>();
  const caches = new Map<Tokenizer, SizeCache>();
  return {
    async counterFor(tokenizer, ratio) {
      requireTokenizer(tokenizer);
      const family = TOKENIZER_FAMILIES[tokenizer];
      const encoded = await getOrCreate(textCounters, family.encoding, load);
      const atLeast: TextCounter = (text) => Math.max(encoded(text), countByCharacters(text));
      const countText = family.isGuess ? atLeast : encoded;
      const cache = getOrCreate(caches, tokenizer, () => makeSizeCache(options));
      const isEstimate = encoded === countByCharacters;
      return makeTokenCounter({
        family,
        tokenizer,
        countText,
        cache,
        ...(isEstimate && { isEstimate }),
        ...(ratio !== undefined && { ratio }),
      });
    },
  };
}

/** Throws for a name that the types do not allow in TypeScript, usually that of a model. */
function requireTokenizer(name: unknown): void {
  const known = Object.keys(TOKENIZER_FAMILIES);
  if (known.some((tokenizer) => tokenizer === name)) return;
  const given = typeof name === "string" ? `unknown tokenizer "${name}"` : "a tokenizer is a name";
  const remedy = "findModel returns the tokenizer of a model";
  throw new LonghaulError("settings.invalid", `${given}; ${remedy}; known tokenizers: ${known.join(", ")}`);
}

/** Returns a counter without a vocabulary (four characters per token), for callers that do not know the model. */
export function makeRoughCounter(): TokenCounter {
  return makeTokenCounter({ family: TOKENIZER_FAMILIES.other, countText: countByCharacters, ratio: 1 });
}

/** Counts the tokens that a model would charge for. The count of a whole is the sum of the counts of its parts. */
export interface TokenCounter {
  countText(text: string): number;
  countBlock(block: Block): number;
  countMessage(message: Message): number;
  countSystem(blocks: readonly Block[]): number;
  countTools(tools: readonly Tool[]): number;
  /** Counts system, tools and messages together. */
  countConversation(conversation: Conversation): number;
}

/** A counter that recognizes messages by their content. */
export interface CachingCounter extends TokenCounter {
  /** The tokenizer that it counts for, if known. */
  readonly tokenizer?: Tokenizer;
  /** Whether it counts without the vocabulary, so that its sizes are not those of other counters with this tokenizer. @default false */
  readonly isEstimate?: boolean;
  /** Returns the sizes of a message by its fingerprint, without the message; undefined if it was not measured before. */
  knownSizes(fingerprint: string): readonly Size[] | undefined;
  /** Counts a message by its sizes. */
  countSizes(sizes: readonly Size[]): number;
  /** Measures system and tools, for `adoptHead` of a counter with the same tokenizer in another thread. */
  measureHead(head: Pick<Conversation, "system" | "tools">): HeadSizes;
  /** Measures a message, for `adoptMessage` of a counter with the same tokenizer in another thread. */
  measureMessage(message: Message): readonly Size[];
  /** Adopts sizes that another counter measured, so that these objects are not read again. */
  adoptHead(head: Pick<Conversation, "system" | "tools">, sizes: HeadSizes): void;
  /** Adopts sizes that another counter measured for a message with this fingerprint. */
  adoptMessage(fingerprint: string, sizes: readonly Size[]): void;
}

/** The sizes of system blocks and tools. */
export interface HeadSizes {
  readonly system: readonly Size[];
  readonly tools: readonly Size[];
}

/** Options of a counter. */
export interface TokenCounterOptions {
  readonly family: TokenizerFamily;
  /** Counts in the family's encoding. */
  readonly countText: TextCounter;
  /** Tokens of the model per token of the encoding, as calibrated. @default the family's ratio */
  readonly ratio?: number;
  /** The tokenizer that the counter reports. */
  readonly tokenizer?: Tokenizer;
  /** Whether `countText` replaces the family's encoding. @default false */
  readonly isEstimate?: boolean;
  /** Shared by counters of the same family across requests. @default its own */
  readonly cache?: SizeCache;
}

/**
 * Creates a counter. This is cheap, because the text counter and the cache are passed in. Counts are rounded per block, so they add up
 * exactly; the overhead of the request is counted with the system blocks.
 */
export function makeTokenCounter(options: TokenCounterOptions): CachingCounter {
  const { family, countText, ratio = family.ratio, cache = makeSizeCache() } = options;
  const { overhead } = family;
  const rules: MeasureRules = { family, countText };

  const tokensOf = ({ text, fixed }: Size) => Math.round(ratio * text) + fixed;
  const sumOf = (sizes: readonly Size[]) => sizes.reduce((sum, size) => sum + tokensOf(size), 0);
  const measureBlocks = (blocks: readonly Block[]) => blocks.map((block) => measureBlock(block, rules));

  function measureMessage(message: Message): readonly Size[] {
    const keyOf = (hash: Hash) => fingerprint(message, hash);
    return cache.get(message, keyOf, () => measureBlocks(message.blocks));
  }

  function measureSystem(blocks: readonly Block[]): readonly Size[] {
    const keyOf = (hash: Hash) => fingerprint({ role: "system", blocks }, hash);
    return cache.get(blocks, keyOf, () => measureBlocks(blocks));
  }

  function measureTools(tools: readonly Tool[]): readonly Size[] {
    const keyOf = (hash: Hash) => hash(stableStringify(tools.map(toolContent)));
    return cache.get(tools, keyOf, () => tools.map((tool) => measureTool(tool, rules)));
  }

  const countSizes = (sizes: readonly Size[]) => overhead.message + sumOf(sizes);
  const countMessage = (message: Message) => countSizes(measureMessage(message));
  const countTools = (tools: readonly Tool[]) => (tools.length === 0 ? 0 : overhead.tools + sumOf(measureTools(tools)));
  const countSystem = (blocks: readonly Block[]) =>
    blocks.length === 0 ? overhead.request : overhead.request + overhead.message + sumOf(measureSystem(blocks));

  return {
    ...(options.tokenizer !== undefined && { tokenizer: options.tokenizer }),
    ...(options.isEstimate === true && { isEstimate: true }),
    countText: (text) => tokensOf({ text: countText(text), fixed: 0 }),
    countBlock: (block) => tokensOf(measureBlock(block, rules)),
    countMessage,
    knownSizes: cache.find,
    countSizes,
    measureMessage,
    measureHead: ({ system, tools }) => ({ system: measureSystem(system), tools: measureTools(tools) }),
    adoptMessage: (fingerprint, sizes) => cache.setByKey(fingerprint, sizes),
    adoptHead: ({ system, tools }, sizes) => {
      cache.set(system, sizes.system);
      cache.set(tools, sizes.tools);
    },
    countSystem,
    countTools,
    countConversation: ({ system, tools, messages }) =>
      messages.reduce((sum, message) => sum + countMessage(message), countSystem(system) + countTools(tools)),
  };
}
