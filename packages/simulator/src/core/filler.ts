import type { Tokenizer } from "./tokens.ts";

const SENTENCES = [
  "The first step is to look at what is there before anything is changed.",
  "Each part does one thing, and its name says which.",
  "When two ways lead to the same place, the shorter one is taken.",
  "What was measured is written down next to the command that measured it.",
  "A mistake that was found once is kept as a test, so that it stays found.",
  "Nothing is thrown away that somebody may still need.",
];

/** Sentences with just under so many tokens; the same ones every time. */
export function fillerText(tokens: number, tokenizer: Tokenizer): string {
  const paragraph = `${SENTENCES.join(" ")}\n`;
  const times = Math.ceil(tokens / tokenizer.weigh(paragraph));
  return tokenizer.take(paragraph.repeat(times), tokens).trimEnd();
}

const GARBAGE_CHARS = 240;
const GARBAGE_ALPHABET = "�a}0{b]z|Q\\X^é#漢~ ";

/** Characters without sense; the same ones every time. */
export function garbageText(): string {
  const alphabet = [...GARBAGE_ALPHABET];
  const letterAt = (index: number) => alphabet[(index * 7 + Math.floor(index / alphabet.length) * 5) % alphabet.length];
  return Array.from({ length: GARBAGE_CHARS }, (_, index) => letterAt(index)).join("");
}
