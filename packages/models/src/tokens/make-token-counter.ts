import { type Block, fingerprint, type Hash, type Message, stableStringify, type Tool } from "@longhaul/conversation";
import type { Tokenizer } from "../catalog/model.ts";
import { measureBlock, measureTool, type Rules, type Size, spellTool } from "./measure.ts";
import { makeSizeMemory, type SizeMemory } from "./size-memory.ts";
import type { TextCounter } from "./text-counter.ts";
import type { RememberingCounter } from "./token-counter.ts";
import type { TokenizerFamily } from "./tokenizer-families.ts";

/** What a counter is made of. */
export interface TokenCounterOptions {
  readonly family: TokenizerFamily;
  /** Counts in the family's encoding. */
  readonly countText: TextCounter;
  /** Tokens of the model for one of the encoding, as learnt from its replies. @default that of the family */
  readonly ratio?: number;
  /** The tokenizer that the counter says it counts for. */
  readonly tokenizer?: Tokenizer;
  /** Shared by counters of the same family, so that it outlives a request. @default one of its own */
  readonly memory?: SizeMemory;
}

/**
 * Makes a counter. It is cheap: what is costly, the text counter and the memory, is passed in. Rounding happens block by block, so counts
 * add up exactly; the frame of the request itself is counted with the system blocks.
 */
export function makeTokenCounter(options: TokenCounterOptions): RememberingCounter {
  const { family, countText, ratio = family.ratio, memory = makeSizeMemory() } = options;
  const { frame } = family;
  const rules: Rules = { family, countText };

  const tokensOf = ({ text, fixed }: Size) => Math.round(ratio * text) + fixed;
  const sumOf = (sizes: readonly Size[]) => sizes.reduce((sum, size) => sum + tokensOf(size), 0);
  const measureBlocks = (blocks: readonly Block[]) => blocks.map((block) => measureBlock(block, rules));

  function measureMessage(message: Message): readonly Size[] {
    const spell = (hash: Hash) => fingerprint(message, hash);
    return memory.recall(message, spell, () => measureBlocks(message.blocks));
  }

  function measureSystem(blocks: readonly Block[]): readonly Size[] {
    const spell = (hash: Hash) => fingerprint({ role: "system", blocks }, hash);
    return memory.recall(blocks, spell, () => measureBlocks(blocks));
  }

  function measureTools(tools: readonly Tool[]): readonly Size[] {
    const spell = (hash: Hash) => hash(stableStringify(tools.map(spellTool)));
    return memory.recall(tools, spell, () => tools.map((tool) => measureTool(tool, rules)));
  }

  const countMessage = (message: Message) => frame.message + sumOf(measureMessage(message));
  const countTools = (tools: readonly Tool[]) => (tools.length === 0 ? 0 : frame.tools + sumOf(measureTools(tools)));
  const countSystem = (blocks: readonly Block[]) =>
    blocks.length === 0 ? frame.request : frame.request + frame.message + sumOf(measureSystem(blocks));

  return {
    ...(options.tokenizer !== undefined && { tokenizer: options.tokenizer }),
    countText: (text) => tokensOf({ text: countText(text), fixed: 0 }),
    countBlock: (block) => tokensOf(measureBlock(block, rules)),
    countMessage,
    countKnown: (fingerprint) => {
      const sizes = memory.find(fingerprint);
      return sizes === undefined ? undefined : frame.message + sumOf(sizes);
    },
    measureMessage,
    measureHead: ({ system, tools }) => ({ system: measureSystem(system), tools: measureTools(tools) }),
    adoptMessage: (fingerprint, sizes) => memory.putSpelled(fingerprint, sizes),
    adoptHead: ({ system, tools }, sizes) => {
      memory.put(system, sizes.system);
      memory.put(tools, sizes.tools);
    },
    countSystem,
    countTools,
    countConversation: ({ system, tools, messages }) =>
      messages.reduce((sum, message) => sum + countMessage(message), countSystem(system) + countTools(tools)),
  };
}
