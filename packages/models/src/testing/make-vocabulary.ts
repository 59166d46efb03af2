import { Vocabulary } from "../tokens/bpe/vocabulary.ts";

/** A vocabulary of these tokens, in the order of their ranks. */
export function makeVocabulary(tokens: readonly string[]): Vocabulary {
  const starts = new Uint32Array(tokens.length + 1);
  for (const [rank, token] of tokens.entries()) starts[rank + 1] = (starts[rank] ?? 0) + Buffer.byteLength(token);
  return new Vocabulary(Buffer.from(tokens.join("")), starts);
}
