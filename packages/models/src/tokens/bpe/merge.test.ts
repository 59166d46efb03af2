import fc from "fast-check";
import { expect, it } from "vitest";
import { makeVocabulary } from "../../testing/make-vocabulary.ts";
import { Merge } from "./merge.ts";

const LETTERS = ["a", "b", "c"];

/** Byte pair merging word by word as it is defined. */
function countByDefinition(tokens: readonly string[], text: string): number {
  const parts = Array.from(text);
  for (;;) {
    const ranks = parts.slice(1).map((part, index) => tokens.indexOf(`${parts[index]}${part}`));
    const lowest = Math.min(...ranks.filter((rank) => rank !== -1));
    const at = ranks.indexOf(lowest);
    if (at === -1) return parts.length;
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
  }
}

function count(tokens: readonly string[], text: string): number {
  const bytes = Buffer.from(`cab${text}cab`);
  return new Merge(makeVocabulary(tokens)).count(bytes, 3, bytes.length - 3);
}

it("merges lowest ranks first, the leftmost among equals", () => {
  const tokens = [...LETTERS, "aa", "ab", "aab"];
  expect(["aab", "aaab", "aaa", "abab", "c"].map((text) => count(tokens, text))).toEqual([1, 2, 2, 2, 1]);
});

it("counts what the definition counts", () => {
  const longer = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 2, maxLength: 5 });
  const text = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.uniqueArray(longer, { maxLength: 15 }), text, (tokens, word) => {
      expect(count([...LETTERS, ...tokens], word)).toBe(countByDefinition([...LETTERS, ...tokens], word));
    }),
    { numRuns: 1_000 },
  );
});

it("counts pieces longer than it keeps room for, and short ones after them", () => {
  const merge = new Merge(makeVocabulary([...LETTERS, "aa", "aaaa"]));
  const long = Buffer.from("a".repeat(10_001));
  expect(merge.count(long, 0, long.length)).toBe(2_501);
  expect(merge.count(Buffer.from("aaab"), 0, 4)).toBe(3);
});
