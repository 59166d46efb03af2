import type { Content, Contents } from "../content/content.ts";
import { type Attention, attentionIn } from "./attention.ts";
import { identifiersIn, isBareList, sayingOf } from "./identifiers.ts";

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

/** A stretch of a text that is kept or left out whole: a line with its end, or a part of a long line. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where long lines begin, in characters. A line of code is worth little in parts; a paragraph can be taken sentence by sentence. */
export const LONG_LINE = { prose: 200, code: 400 } as const;

/** How long the parts of a long line are, about. */
const PART_CHARACTERS = 80;

/** Splits a text into lines, and lines that are longer than `longest` into parts that end where a clause does. Joined, they give the text. */
export function stretchesOf(text: string, longest: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.indexOf("\n", from);
    const to = lineEnd === -1 ? text.length : lineEnd + 1;
    if (to - from <= longest) stretches.push({ from, to });
    else addParts(stretches, text, { from, to });
    from = to;
  }
  return stretches;
}

function addParts(stretches: Stretch[], text: string, { from, to }: Stretch): void {
  let at = from;
  while (to - at > 1.5 * PART_CHARACTERS) {
    const end = endOfPart(text, at);
    stretches.push({ from: at, to: end });
    at = end;
  }
  stretches.push({ from: at, to });
}

/** The strongest first. */
const CLAUSE_ENDS = [". ", "; ", "}, ", "], ", ", ", " "] as const;

/** Where the part that begins at a position ends: with a clause, if one ends near; else in the middle of a word. */
function endOfPart(text: string, at: number): number {
  const earliest = at + PART_CHARACTERS / 2;
  const window = text.slice(earliest, at + PART_CHARACTERS);
  for (const end of CLAUSE_ENDS) {
    const found = window.lastIndexOf(end);
    if (found !== -1) return earliest + found + end.length;
  }
  const cut = at + PART_CHARACTERS;
  return isLowSurrogate(text, cut) ? cut + 1 : cut;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * The identifiers and lines of a conversation, each by a number, and how strongly each is remembered: what was said often and lately, and by
 * whom. Being needed again follows that sum closely.
 */
export class Vocabulary {
  readonly #identifiers = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  readonly #isLine: boolean[] = [];
  readonly #strength: number[] = [];
  /** The message that a term was last seen in, and how strongly: a message counts once, by its strongest sight. */
  readonly #message: number[] = [];
  readonly #sight: number[] = [];

  /** Notes that a message says an identifier, and tells its number. */
  seeIdentifier(word: string, message: number, strength: number): number {
    const term = this.#identifiers.get(word) ?? this.#add(this.#identifiers, word, false);
    this.#see(term, message, strength);
    return term;
  }

  /** Notes that a message says a line. */
  seeLine(saying: string, message: number, strength: number): void {
    this.#see(this.#lines.get(saying) ?? this.#add(this.#lines, saying, true), message, strength);
  }

  /** The number of a line that was seen. */
  line(saying: string): number | undefined {
    return this.#lines.get(saying);
  }

  /** How likely each term is needed again, by its number. */
  chances(): Float64Array {
    return Float64Array.from(this.#strength, (strength, term) => {
      return strength / (strength + (this.#isLine[term] === true ? HALF_CHANCE.line : HALF_CHANCE.identifier));
    });
  }

  #add(map: Map<string, number>, key: string, isLine: boolean): number {
    const term = this.#strength.length;
    map.set(key, term);
    this.#isLine.push(isLine);
    this.#strength.push(0);
    this.#message.push(-1);
    this.#sight.push(0);
    return term;
  }

  #see(term: number, message: number, strength: number): void {
    const known = this.#message[term] === message ? (this.#sight[term] ?? 0) : 0;
    if (strength <= known) return;
    this.#strength[term] = (this.#strength[term] ?? 0) + strength - known;
    this.#sight[term] = strength;
    this.#message[term] = message;
  }
}

/** The strength at which a term is needed again as likely as not; fitted, as `docs/decisions` tells. */
const HALF_CHANCE = { identifier: 5, line: 20 } as const;
