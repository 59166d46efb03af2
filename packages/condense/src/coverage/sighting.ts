import type { Content, Contents } from "../content.ts";
import { type Attention, attentionIn } from "./attention.ts";
import { identifiersIn, isBareList, sayingOf } from "./identifiers.ts";
import { LONG_LINE, type Stretch, stretchesOf } from "./stretches.ts";
import { Terms } from "./terms.ts";

/** Lines that remind less than this are not worth knowing again. */
const FAINT = 0.05;

/** Reads a conversation through and notes what it says, and how strongly that is remembered at its end. */
export function sightTerms(contents: Contents, messageCount: number): Terms {
  const terms = new Terms();
  const attentionTo = attentionIn(contents, messageCount);
  for (const content of contents.contents) {
    const attention = attentionTo(content);
    for (const { from, to } of unitsOf(content)) {
      sightLine(terms, content.text.slice(from, to), { ...attention, message: content.at.message });
    }
  }
  return terms;
}

function sightLine(terms: Terms, line: string, seen: Attention & { readonly message: number }): void {
  const words = identifiersIn(line);
  const strength = words.length > 0 && isBareList(line) ? seen.listed : seen.identifier;
  for (const word of words) terms.seeIdentifier(word, seen.message, strength);
  const saying = seen.line < FAINT ? undefined : sayingOf(line);
  if (saying !== undefined) terms.seeLine(saying, seen.message, seen.line);
}

/** The stretches of a content that are kept or left out one by one. */
export function unitsOf({ text, level }: Content): Stretch[] {
  return stretchesOf(text, level === "text" ? LONG_LINE.prose : LONG_LINE.code);
}

/** The numbers of the terms in a text, each once. */
export function termsIn(text: string, terms: Terms): number[] {
  const found = new Set<number>();
  for (const word of identifiersIn(text)) add(found, terms.identifier(word));
  const saying = sayingOf(text);
  if (saying !== undefined) add(found, terms.line(saying));
  return [...found];
}

function add(found: Set<number>, term: number | undefined): void {
  if (term !== undefined) found.add(term);
}
