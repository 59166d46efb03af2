import type { Size, Tokenizer } from "@longhaul/models/advanced";

/** The sizes of a message's blocks, for any ratio of tokens. */
export type MessageSizes = readonly Size[];

/** The sizes of messages by the latest tokenizer. */
export interface Counted {
  readonly tokenizer: Tokenizer;
  /** Of the messages in the front. */
  readonly sizes: readonly MessageSizes[];
  /** Of the messages after it, by fingerprint. */
  readonly after: ReadonlyMap<string, MessageSizes>;
}

/** The same in little space. */
export interface PackedCounts {
  readonly tokenizer: Tokenizer;
  /** Of the messages in the front, then of those after it. */
  readonly sizes: Float64Array;
  /** Fingerprints of the messages after it. */
  readonly after: readonly string[];
}

export function packCounts({ tokenizer, sizes, after }: Counted): PackedCounts {
  return { tokenizer, sizes: packSizes([...sizes, ...after.values()]), after: [...after.keys()] };
}

export function unpackCounts({ tokenizer, sizes, after }: PackedCounts): Counted {
  const all = unpackSizes(sizes);
  const count = all.length - after.length;
  return {
    tokenizer,
    sizes: all.slice(0, count),
    after: new Map(after.map((print, index) => [print, all[count + index] ?? []])),
  };
}

/** Writes the number of blocks of each message, then the two sizes of each block. */
export function packSizes(messages: readonly MessageSizes[]): Float64Array {
  return Float64Array.from(
    messages.flatMap((sizes) => [sizes.length, ...sizes.flatMap(({ text, fixed }) => [text, fixed])]),
  );
}

export function unpackSizes(packed: Float64Array): MessageSizes[] {
  const messages: MessageSizes[] = [];
  for (let at = 0; at < packed.length; ) {
    const from = at + 1;
    const blocks = packed[at] ?? 0;
    messages.push(
      Array.from({ length: blocks }, (_, index) => ({
        text: packed[from + 2 * index] ?? 0,
        fixed: packed[from + 2 * index + 1] ?? 0,
      })),
    );
    at = from + 2 * blocks;
  }
  return messages;
}
