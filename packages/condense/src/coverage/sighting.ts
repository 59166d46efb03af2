import type { Content, Contents } from "../content/content.ts";
import { type Attention, attentionIn } from "./attention.ts";
import { identifiersIn, isBareList, sayingOf } from "./identifiers.ts";
import { LONG_LINE, type Stretch, stretchesOf } from "./stretches.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Lines that remind less than this are not worth knowing again. */
const FAINT = 0.05;

/** Reads the contents of a conversation, and knows in the end what they say and how strongly each of that is remembered. */
export interface Reader {
  readonly vocabulary: Vocabulary;
  /** The numbers of the terms in a line of a content, or in all of it, each once. Every content is to be read. */
  read(content: Content, stretch?: Stretch): number[];
}

/** Begins to read a conversation. Lines are noted at once, so that an early line is known for one that is quoted later. */
export function openReader(contents: Contents, messageCount: number): Reader {
  const vocabulary = new Vocabulary();
  const attentionTo = remembered(attentionIn(contents, messageCount));
  for (const content of contents.contents) {
    const { line } = attentionTo(content);
    if (line >= FAINT) sightLines(vocabulary, content, line);
  }
  return {
    vocabulary,
    read: (content, { from, to } = { from: 0, to: content.text.length }) =>
      readLine(vocabulary, content.text.slice(from, to), { ...attentionTo(content), message: content.at.message }),
  };
}

function remembered(attentionTo: (content: Content) => Attention): (content: Content) => Attention {
  let latest: { content: Content; attention: Attention } | undefined;
  return (content) => {
    if (latest?.content !== content) latest = { content, attention: attentionTo(content) };
    return latest.attention;
  };
}

function sightLines(vocabulary: Vocabulary, content: Content, strength: number): void {
  for (const { from, to } of stretchesIn(content)) {
    const saying = sayingOf(content.text.slice(from, to));
    if (saying !== undefined) vocabulary.seeLine(saying, content.at.message, strength);
  }
}

function readLine(vocabulary: Vocabulary, line: string, seen: Attention & { readonly message: number }): number[] {
  const words = identifiersIn(line);
  const isListed = seen.listed < seen.identifier && words.length > 0 && isBareList(line, words);
  const found: number[] = [];
  for (const word of words) {
    const term = vocabulary.seeIdentifier(word, seen.message, isListed ? seen.listed : seen.identifier);
    if (!found.includes(term)) found.push(term);
  }
  const saying = sayingOf(line);
  const known = saying === undefined ? undefined : vocabulary.line(saying);
  return known === undefined ? found : [...found, known];
}

/** The stretches of a content that are kept or left out one by one. */
export function stretchesIn({ text, level }: Content): Stretch[] {
  return stretchesOf(text, level === "text" ? LONG_LINE.prose : LONG_LINE.code);
}
