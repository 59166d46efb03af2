import { contentStart } from "../references/lines.ts";

/** Words, with what is joined to them by a point, a slash or a dash. Letters beyond ASCII are parts of words. */
const WORDS = /[\w$\u00aa-\uffff]+(?:[./-][\w$@\u00aa-\uffff-]+)*/g;

/**
 * The words in a text that name one thing and that nobody could guess, in order, repeats included: paths, dotted and dashed names, camelCase
 * and snake_case, numbers of four digits and more, hashes, and codes in capitals with digits.
 */
export function identifiersIn(text: string): readonly string[] {
  return text.match(WORDS)?.filter(isIdentifier) ?? [];
}

const MIN_CHARACTERS = 3;
const MIN_CAMEL_CHARACTERS = 5;
const HASH_CHARACTERS = { min: 7, max: 40 } as const;
const CODE_CHARACTERS = { min: 5, max: 12 } as const;

function isIdentifier(word: string): boolean {
  const { length } = word;
  if (length < MIN_CHARACTERS) return false;
  const traits = traitsOf(word);
  if ((traits & LONG_NUMBER) !== 0) return true;
  if ((traits & CAMEL) !== 0 && length >= MIN_CAMEL_CHARACTERS) return true;
  if ((traits & JOINT) !== 0) return (traits & LETTER) !== 0;
  if ((traits & UNDERSCORE) !== 0) return (traits & LETTER) !== 0 && SNAKE.test(word);
  if ((traits & NO_HEX) === 0) return length >= HASH_CHARACTERS.min && length <= HASH_CHARACTERS.max;
  const isCode = (traits & DIGIT) !== 0 && (traits & NO_CODE) === 0;
  return isCode && length >= CODE_CHARACTERS.min && length <= CODE_CHARACTERS.max;
}

const SNAKE = /_.{3}/;

/** What characters of a word are, as bits. */
const LETTER = 1;
const LOWER = 2;
const UPPER = 4;
const DIGIT = 8;
/** A point, a slash or a dash. */
const JOINT = 16;
const UNDERSCORE = 32;
/** Neither a digit nor a small letter from a to f. */
const NO_HEX = 64;
/** Neither a digit nor a capital letter. */
const NO_CODE = 128;
/** A capital letter after a small one. */
const CAMEL = 256;
const LONG_NUMBER = 512;
const LONG_NUMBER_DIGITS = 4;

const BEYOND_ASCII = NO_HEX | NO_CODE;
const TRAITS: readonly number[] = Array.from({ length: 128 }, (_, code) =>
  traitsOfCharacter(String.fromCharCode(code)),
);

function traitsOfCharacter(character: string): number {
  if (/[a-f]/.test(character)) return LETTER | LOWER | NO_CODE;
  if (/[g-z]/.test(character)) return LETTER | LOWER | NO_CODE | NO_HEX;
  if (/[A-Z]/.test(character)) return LETTER | UPPER | NO_HEX;
  if (/\d/.test(character)) return DIGIT;
  return NO_HEX | NO_CODE | (character === "_" ? UNDERSCORE : character === "$" || character === "@" ? 0 : JOINT);
}

/** One look at every character, because every word of a conversation is looked at. */
function traitsOf(word: string): number {
  let traits = 0;
  let digits = 0;
  for (let at = 0; at < word.length; at++) {
    const found = TRAITS[word.charCodeAt(at)] ?? BEYOND_ASCII;
    if ((found & UPPER) !== 0 && (traits & LOWER) !== 0) traits |= CAMEL;
    digits = (found & DIGIT) === 0 ? 0 : digits + 1;
    if (digits >= LONG_NUMBER_DIGITS) traits |= LONG_NUMBER;
    traits |= found;
  }
  return traits;
}

/** Shorter lines stand in every file; quoting them tells nothing. */
const MIN_SAYING_CHARACTERS = 20;

/** What a line says, without layout and line number; nothing where it is too short to be told from others. */
export function sayingOf(line: string): string | undefined {
  if (line.length < MIN_SAYING_CHARACTERS) return undefined;
  const saying = line.slice(contentStart(line, 0, line.length)).trim();
  return saying.length < MIN_SAYING_CHARACTERS ? undefined : saying;
}

/** Fewer letters than this beside identifiers are no word about them. */
const WORD_LETTERS = 2;

/** Whether a line only lists its identifiers and says nothing about them. */
export function isBareList(line: string, identifiers: readonly string[]): boolean {
  let letters = lettersIn(line);
  for (const word of identifiers) letters -= lettersIn(word);
  return letters < WORD_LETTERS;
}

/** Counts what is not ASCII for letters too. */
function lettersIn(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) if (((TRAITS[text.charCodeAt(at)] ?? LETTER) & LETTER) !== 0) letters++;
  return letters;
}
