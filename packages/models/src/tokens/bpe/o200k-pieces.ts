import { CASELESS, classOf, LOWER, MARK, NEWLINE, NUMBER, UPPER, widthOf } from "./character-class.ts";
import { contractionEnd, numberEnd, punctuationEnd, whiteSpaceEnd } from "./pieces.ts";
import type { Utf8Text } from "./utf8-text.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SLASH = 0x2f;

/**
 * The splitting rule of o200k_base. With `upper` for `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `lower` for `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` and
 * `lead` for `[^\r\n\p{L}\p{N}]` it tries, in this order: `lead?upper*lower+contraction?`, `lead?upper+lower*contraction?`,
 * `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, white space.
 */
export function o200kPieceEnd(text: Utf8Text, from: number): number {
  const symbol = text.symbolAt(from);
  if (classOf(symbol) === NUMBER) return numberEnd(text, from);
  const word = ledWordEnd(text, from, symbol);
  if (word > from) return contractionEnd(text, word);
  const punctuation = punctuationEnd(text, from);
  return punctuation > from ? tailEnd(text, punctuation) : whiteSpaceEnd(text, from);
}

/** The end of the word that starts at `from` or after one leading character there; `from` where there is none. */
function ledWordEnd(text: Utf8Text, from: number, symbol: number): number {
  const afterFirst = from + widthOf(symbol);
  switch (classOf(symbol)) {
    case NEWLINE:
      return from;
    case UPPER:
    case LOWER:
    case CASELESS:
      return wordEnd(text, from);
    case MARK:
      // A mark is `lead`, `upper` and `lower` at once: where it leads no word of the first kind, it is one by itself.
      return mixedWordEnd(text, afterFirst);
    default: {
      const end = wordEnd(text, afterFirst);
      return end > afterFirst ? end : from;
    }
  }
}

function wordEnd(text: Utf8Text, from: number): number {
  const mixed = mixedWordEnd(text, from);
  return mixed > from ? mixed : capitalsEnd(text, from);
}

/** `upper*lower+`, or `from`. Without a lower-case letter the last character that is both counts as `lower`. */
function mixedWordEnd(text: Utf8Text, from: number): number {
  let position = from;
  let lastBoth = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    const kind = classOf(symbol);
    if (kind === LOWER) return lowerEnd(text, position);
    if (kind !== UPPER && kind !== CASELESS && kind !== MARK) break;
    position += widthOf(symbol);
    if (kind !== UPPER) lastBoth = position;
  }
  return lastBoth;
}

function lowerEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    const kind = classOf(symbol);
    if (kind !== LOWER && kind !== CASELESS && kind !== MARK) break;
    position += widthOf(symbol);
  }
  return position;
}

/** `upper+lower*` where `upper*lower+` does not match, so that only capitals are left to take. */
function capitalsEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const symbol = text.symbolAt(position);
    if (classOf(symbol) !== UPPER) break;
    position += widthOf(symbol);
  }
  return position;
}

/** `[\r\n/]*` */
function tailEnd(text: Utf8Text, from: number): number {
  let position = from;
  while (position < text.end) {
    const byte = text.bytes[position];
    if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== SLASH) break;
    position++;
  }
  return position;
}
