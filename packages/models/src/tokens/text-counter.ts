/** How many tokens a text has in some encoding. */
export type TextCounter = (text: string) => number;

const CHARACTERS_PER_TOKEN = 4;

/** The guess where no vocabulary is at hand. It is low: by a quarter for JSON, by more than half for CJK and base64. */
export function charactersOverFour(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
