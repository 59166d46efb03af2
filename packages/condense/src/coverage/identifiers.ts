import { contentStart } from "../references/lines.ts";

/** Words joined by a dot, slash or dash. Letters beyond ASCII are part of words; arrows, bullets and other symbols are not. */
const WORDS =
  /[\w$\u00aa-\u1fff\u2c00-\u2fff\u3040-\ud7ff\uf900-\uffff]+(?:[./-][\w$@\u00aa-\u1fff\u2c00-\u2fff\u3040-\ud7ff\uf900-\uffff-]+)*/g;

/**
 * Returns the words in a text that identify something and cannot be guessed, in order, including repeats: paths, dotted and dashed names,
 * camelCase and snake_case, numbers of four or more digits, hashes, and uppercase codes with digits.
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

/** Factors for how often identifiers of a form are needed again. Fitted; see `docs/decisions`. */
const FORM_WEIGHTS = { number: 0.2, snake: 2, id: 4, joined: 1.3, other: 1 } as const;

/** Returns how much more or less likely an identifier is needed than others, judged by its form alone. */
export function formWeight(word: string): number {
  const traits = traitsOf(word);
  if ((traits & NO_HEX) === 0 || (traits & LETTER) === 0) return FORM_WEIGHTS.number;
  if ((traits & JOINT) !== 0) return FORM_WEIGHTS.joined;
  if ((traits & UNDERSCORE) === 0) return FORM_WEIGHTS.other;
  return (traits & LONG_NUMBER) === 0 ? FORM_WEIGHTS.snake : FORM_WEIGHTS.id;
}

/** Longer names are rarely retyped. */
const MAX_NAME_CHARACTERS = 120;
/** A part of a name that is longer than this and has digits and letters looks like a key. */
const MAX_MIXED_CHARACTERS = 16;
/** Names have about three characters per token. */
const TOKENS_PER_CHARACTER = 0.33;

/** Returns about how many tokens an identifier takes in a list, or 0 if it must not be listed: it is very long or looks like a key. */
export function listedTokens(word: string): number {
  if (word.length > MAX_NAME_CHARACTERS) return 0;
  const isKey = word.split(/[./_-]/).some((part) => part.length > MAX_MIXED_CHARACTERS && /\d/.test(part));
  return isKey ? 0 : 1 + word.length * TOKENS_PER_CHARACTER;
}

/** Traits of a word's characters, as bits. */
const LETTER = 1;
const LOWER = 2;
const UPPER = 4;
const DIGIT = 8;
/** A dot, slash or dash. */
const JOINT = 16;
const UNDERSCORE = 32;
/** Neither a digit nor a lowercase letter from a to f. */
const NO_HEX = 64;
/** Neither a digit nor an uppercase letter. */
const NO_CODE = 128;
/** An uppercase letter after a lowercase one. */
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

/** A single pass over the characters, because this runs for every word of a conversation. */
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

/** Shorter lines occur in every file; quoting them means nothing. */
const MIN_LINE_CHARACTERS = 20;

/** Whether a plain line is long enough to be distinctive. */
export function isDistinctive(plain: string): boolean {
  return plain.length >= MIN_LINE_CHARACTERS;
}

/** Returns a line without layout and line number. */
export function plainLine(line: string): string {
  return line.slice(contentStart(line, 0, line.length)).trim();
}

/** Fewer letters than this next to identifiers are not a word. */
const WORD_LETTERS = 2;

/** Whether a line consists only of its identifiers. */
export function isBareList(line: string, identifiers: readonly string[]): boolean {
  let letters = lettersIn(line);
  for (const word of identifiers) letters -= lettersIn(word);
  return letters < WORD_LETTERS;
}

/** Counts characters beyond ASCII as letters. */
function lettersIn(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) if (((TRAITS[text.charCodeAt(at)] ?? LETTER) & LETTER) !== 0) letters++;
  return letters;
}
