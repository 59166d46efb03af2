import type { Message } from "@longhaul/conversation";
import type { Content, Contents, ToolUse } from "../content/content.ts";
import { isRemovedText } from "../content/file-changes.ts";
import { filesReadBy } from "../content/file-reads.ts";
import { filesOf } from "../content/tool-action.ts";
import { cacheLatest } from "../edits/lists.ts";
import { type Attention, asContext, attentionIn, changeWeight, outdated, recencyOf } from "./attention.ts";
import { rolesIn } from "./changed-lines.ts";
import { type EditFate, editFates } from "./edit-fates.ts";
import { formWeight, identifiersIn, isBareList, isDistinctive, plainLine } from "./identifiers.ts";
import { type IsOutdated, outdatedIn } from "./outdated.ts";

/** Lines with less weight are not recorded. */
const MIN_WEIGHT = 0.005;

/** Reads the contents of a conversation and collects their terms with weights. */
export interface Reader {
  readonly vocabulary: Vocabulary;
  /**
   * Returns the term numbers in a line of a content, or in all of it, without duplicates; none for a line of the old text of an edit that is
   * also in the new one. Every content must be read.
   */
  read(content: Content, span?: LineSpan): number[];
  /** Returns why no change of an edit is in its file; undefined if one is. */
  fateOf(use: ToolUse): EditFate | undefined;
}

/** Vocabularies of whole conversations that were read, by their messages. */
const known = new WeakMap<readonly Message[], Vocabulary>();

/** Remembers the vocabulary of messages that were read completely, frames first. */
export function rememberVocabulary(messages: readonly Message[], vocabulary: Vocabulary): void {
  known.set(messages, vocabulary);
}

/** Returns the vocabulary of messages if they were read before. */
export function knownVocabulary(messages: readonly Message[]): Vocabulary | undefined {
  return known.get(messages);
}

/**
 * Starts reading a conversation. Lines are recorded first, so that an early line matches a later quote. A reader of names alone records no
 * lines: they take most of the memory.
 */
export function openReader(contents: Contents, messageCount: number, { recordsLines = true } = {}): Reader {
  const vocabulary = new Vocabulary();
  const fileOf = cacheLatest(fileNamedBy);
  const isOutdated = outdatedIn(contents.contents);
  const attentionOf = cacheLatest(attentionIn(contents, messageCount));
  const weigh = lineWeights(contents, messageCount, { fileOf, isOutdated, attentionOf });
  let fates: ReturnType<typeof editFates> | undefined;
  const recorded = recordsLines ? contents.contents : [];
  for (const content of recorded) if (attentionOf(content).line >= MIN_WEIGHT) addLines(vocabulary, content, weigh);
  return {
    vocabulary,
    read: (content, span) => {
      const { message } = content.at;
      const line = span === undefined ? content.text : content.text.slice(span.from, span.to);
      const { plain, weights, change, isRepeated } = weigh(content, line);
      const found = readLine(vocabulary, { line, plain }, { weights, message, file: fileOf(content) });
      if (isRepeated) return [];
      if (change > 0) found.push(vocabulary.addChange(message, change));
      return found;
    },
    fateOf: (use) => {
      fates ??= editFates(contents.contents, isOutdated);
      return fates.get(use);
    },
  };
}

/** A line and what it weighs. */
interface WeighedLine {
  /** The line without layout and line number. */
  readonly plain: string;
  readonly weights: Attention;
  /** Whether a later change removed it. */
  readonly isOld: boolean;
  /** Weight of the change that an edit makes to it, or 0. */
  readonly change: number;
  /** Whether it is in the old text of an edit, and also in the new one. */
  readonly isRepeated: boolean;
}

type WeighLine = (content: Content, line: string) => WeighedLine;

/** Shorter changed lines, such as brackets, say nothing without the lines around them. */
const MIN_CHANGE_CHARACTERS = 6;

interface LineWeighing {
  readonly fileOf: (content: Content) => string | undefined;
  readonly isOutdated: IsOutdated;
  readonly attentionOf: (content: Content) => Attention;
}

function lineWeights(
  contents: Contents,
  messageCount: number,
  { fileOf, isOutdated, attentionOf }: LineWeighing,
): WeighLine {
  const roles = rolesIn(contents.contents);
  const changesOf = ({ use }: Content) => (use === undefined ? 0 : roles.changesOf(use));
  return (content, line) => {
    const plain = plainLine(line);
    const attention = attentionOf(content);
    const role = roles.roleOf(content, line);
    const isOld = role === "removed" || isOutdated(content, plain, fileOf(content));
    const isChange = (role === "added" || role === "removed") && plain.length >= MIN_CHANGE_CHARACTERS;
    return {
      plain,
      weights: isOld ? outdated(attention) : role === "context" ? asContext(attention) : attention,
      isOld,
      change: isChange ? changeWeight(role, changesOf(content), recencyOf(content.at.message, messageCount)) : 0,
      isRepeated: role === "context" && isRemovedText(content),
    };
  };
}

/** Returns the file that a content is about, if the tool names exactly one. */
function fileNamedBy({ use }: Content): string | undefined {
  const named = use === undefined ? [] : filesOf(use.input).map(({ path }) => path);
  const files = use === undefined || named.length > 0 ? named : filesReadBy(use);
  return files.length === 1 ? files[0] : undefined;
}

function addLines(vocabulary: Vocabulary, content: Content, weigh: WeighLine): void {
  for (const { from, to } of spansIn(content)) {
    const { plain, weights, isOld } = weigh(content, content.text.slice(from, to));
    if (isDistinctive(plain) && !isOld && weights.line >= MIN_WEIGHT)
      vocabulary.addLine(plain, content.at.message, weights.line);
  }
}

interface LineContext {
  readonly weights: Attention;
  readonly message: number;
  readonly file: string | undefined;
}

function readLine(
  vocabulary: Vocabulary,
  { line, plain }: { readonly line: string; readonly plain: string },
  { weights, message, file }: LineContext,
): number[] {
  const words = identifiersIn(line);
  const isListed = weights.listed < weights.identifier && words.length > 0 && isBareList(line, words);
  const found: number[] = [];
  for (const word of words) {
    const term = vocabulary.addIdentifier(word, message, isListed ? weights.listed : weights.identifier);
    if (file !== undefined) vocabulary.setFile(term, file);
    if (!found.includes(term)) found.push(term);
  }
  const known = isDistinctive(plain) ? vocabulary.findLine(plain) : undefined;
  if (known !== undefined) found.push(known);
  return found;
}

/** Splits a content into spans that are kept or omitted one by one. */
export function spansIn({ text, level }: Content): LineSpan[] {
  return splitLines(text, level === "text" ? LONG_LINE.prose : LONG_LINE.code);
}

/** A span of a text that is kept or omitted whole: a line with its end, or a part of a long line. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
}

/** Length from which lines are split. Parts of a line of code are of little use; a paragraph can be split by sentence. */
export const LONG_LINE = { prose: 200, code: 400 } as const;

/** Approximate length of the parts of a long line. */
const PART_CHARACTERS = 80;

/** Splits a text into lines, and lines longer than `longest` into parts that end with a clause. Joined, they give the text. */
export function splitLines(text: string, longest: number): LineSpan[] {
  const spans: LineSpan[] = [];
  for (let from = 0; from < text.length; ) {
    const lineEnd = text.indexOf("\n", from);
    const to = lineEnd === -1 ? text.length : lineEnd + 1;
    if (to - from <= longest) spans.push({ from, to });
    else addParts(spans, text, { from, to });
    from = to;
  }
  return spans;
}

function addParts(spans: LineSpan[], text: string, { from, to }: LineSpan): void {
  let at = from;
  while (to - at > 1.5 * PART_CHARACTERS) {
    const end = endOfPart(text, at);
    spans.push({ from: at, to: end });
    at = end;
  }
  spans.push({ from: at, to });
}

/** Strongest first. */
const CLAUSE_ENDS = [". ", "; ", "}, ", "], ", ", ", " "] as const;

/** Characters that names and paths do not contain. */
const NAME_END = /[^\p{L}\p{N}_$@./-]/u;
/** A part is at most this many characters longer, so that a name is not cut. */
const NAME_CHARACTERS = 100;

/** Returns where the part starting at `at` ends: after a nearby clause, otherwise after a name, otherwise within a long word. */
function endOfPart(text: string, at: number): number {
  const earliest = at + PART_CHARACTERS / 2;
  const window = text.slice(earliest, at + PART_CHARACTERS);
  for (const end of CLAUSE_ENDS) {
    const found = window.lastIndexOf(end);
    if (found !== -1) return earliest + found + end.length;
  }
  const after = text.slice(at + PART_CHARACTERS, at + PART_CHARACTERS + NAME_CHARACTERS).search(NAME_END);
  const cut = at + PART_CHARACTERS + Math.max(0, after);
  return isLowSurrogate(text, cut) ? cut + 1 : cut;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * The identifiers and lines of a conversation by number, with the sum of their weights. The probability that a term is needed again follows
 * this sum closely.
 */
export class Vocabulary {
  readonly #identifiers = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  /** Factor for the form of each identifier; undefined for lines. */
  readonly #form: (number | undefined)[] = [];
  /** Latest file with each identifier. */
  readonly #file: (string | undefined)[] = [];
  readonly #strength: number[] = [];
  /** For each term the latest message that contains it, and its weight there: a message counts once, with its largest weight. */
  readonly #message: number[] = [];
  readonly #sight: number[] = [];

  /** Records an identifier in a message; returns its number. */
  addIdentifier(word: string, message: number, strength: number): number {
    const term = this.#identifiers.get(word) ?? this.#add(this.#identifiers, word, formWeight(word));
    this.#see(term, message, strength);
    return term;
  }

  /** Records a line in a message. */
  addLine(content: string, message: number, strength: number): void {
    this.#see(this.#lines.get(content) ?? this.#add(this.#lines, content), message, strength);
  }

  /** Records a change in a message as a term of its own: nothing else contains it. */
  addChange(message: number, strength: number): number {
    const term = this.#newTerm();
    this.#see(term, message, strength);
    return term;
  }

  /** Records the file that an identifier occurs in. */
  setFile(term: number, path: string): void {
    this.#file[term] = path;
  }

  /** Returns the latest file that an identifier occurs in. */
  fileOf(term: number): string | undefined {
    return this.#file[term];
  }

  /** Returns all identifiers with their numbers, in the order in which they were recorded. */
  identifiers(): Iterable<[word: string, term: number]> {
    return this.#identifiers;
  }

  hasIdentifier(word: string): boolean {
    return this.#identifiers.has(word);
  }

  /** Returns the numbers of the recorded identifiers in a text, without duplicates. */
  termsIn(text: string): number[] {
    return [...new Set(identifiersIn(text).flatMap((word) => this.#identifiers.get(word) ?? []))];
  }

  /** Returns the number of a recorded line. */
  findLine(content: string): number | undefined {
    return this.#lines.get(content);
  }

  /** Returns the probability that each term is needed again, by number. */
  probabilities(): Float64Array {
    return Float64Array.from(this.#strength, (strength, term) => {
      const form = this.#form[term];
      if (form === undefined) return strength / (strength + HALF_WEIGHT.line);
      return (strength * form) / (strength * form + HALF_WEIGHT.identifier);
    });
  }

  #add(map: Map<string, number>, key: string, form?: number): number {
    const term = this.#newTerm(form);
    map.set(key, term);
    return term;
  }

  #newTerm(form?: number): number {
    const term = this.#strength.length;
    this.#form.push(form);
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

/** Weight at which a term is needed with a probability of one half. Fitted; see `docs/decisions`. */
const HALF_WEIGHT = { identifier: 70, line: 50 } as const;
