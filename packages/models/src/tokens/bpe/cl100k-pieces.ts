import { CASELESS, classOf, LOWER, NEWLINE, NUMBER, UPPER, widthOf } from "./character-class.ts";
import { contractionEnd, numberEnd, punctuationEnd, whiteSpaceEnd } from "./pieces.ts";
import type { Utf8Text } from "./utf8-text.ts";

/**
 * The splitting rule of cl100k_base. It tries, in this order: a contraction, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`,
 * ` ?[^\s\p{L}\p{N}]+[\r\n]*`, white space.
 */
export function cl100kPieceEnd(text: Utf8Text, from: number): number {
  const contraction = contractionEnd(text, from);
  if (contraction > from) return contraction;
  const symbol = text.symbolAt(from);
  if (classOf(symbol) === NUMBER) return numberEnd(text, from);
  const word = ledWordEnd(text, from, symbol);
  if (word > from) return word;
  const punctuation = punctuationEnd(text, from);
  return punctuation > from ? lineBreaksEnd(text, punctuation) : whiteSpaceEnd(text, from);
}

function ledWordEnd(text: Utf8Text, from: number, symbol: number): number {
  const kind = classOf(symbol);
  if (kind === NEWLINE) return from;
  const afterFirst = from + widthOf(symbol);
  const end = lettersEnd(text, afterFirst);
  return isLetter(kind) || end > afterFirst ? end : from;
}

function lettersEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    if (!isLetter(classOf(symbol))) break;
    position += widthOf(symbol);
  }
  return position;
}

function isLetter(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === CASELESS;
}

/** `[\r\n]*` */
function lineBreaksEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end && classOf(text.symbolAt(position)) === NEWLINE) position++;
  return position;
}
