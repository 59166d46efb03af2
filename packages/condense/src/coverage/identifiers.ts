/**
 * Words that name one thing and that nobody could guess: paths, dotted and dashed names, camelCase and snake_case, numbers of four digits
 * and more, hashes, and codes in capitals with digits. Letters beyond ASCII go on a name but do not begin one.
 */
const IDENTIFIER =
  /[A-Za-z_$][\w$\u00aa-\uffff]*(?:[./-][\w$@\u00aa-\uffff-]+)+|[a-z]+[A-Z][\w\u00aa-\uffff]{3,}|[A-Za-z]+_[\w\u00aa-\uffff]{3,}|\b[A-Z][a-z]+[A-Z][\w\u00aa-\uffff]+|\b\d{4,}\b|\b[0-9a-f]{7,40}\b|\b(?=[A-Z]*\d)[A-Z0-9]{5,12}\b/g;

/** The identifiers in a text, in order, repeats included. */
export function identifiersIn(text: string): readonly string[] {
  return text.match(IDENTIFIER) ?? [];
}

/** Line numbers that tools put in front of the lines of a file. */
const LINE_NUMBER = /^\s*\d+\s*[→|:\t-]\s?/;

/** Shorter lines stand in every file; quoting them tells nothing. */
const MIN_SAYING_CHARACTERS = 20;

/** What a line says, without layout and line number; nothing where it is too short to be told from others. */
export function sayingOf(line: string): string | undefined {
  const saying = line.replace(LINE_NUMBER, "").trim();
  return saying.length < MIN_SAYING_CHARACTERS ? undefined : saying;
}

const WORD = /\p{L}{2,}/u;

/** Whether a line only lists identifiers and says nothing about them. */
export function isBareList(line: string): boolean {
  return !WORD.test(line.replace(LINE_NUMBER, "").replace(IDENTIFIER, ""));
}
