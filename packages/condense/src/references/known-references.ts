import type { Draft } from "../edits/draft.ts";
import { ambiguousMarks, referencesIn, replacedText } from "./check.ts";

/** The references that a model has read, and the text that each replaces. */
export interface KnownReferences {
  /**
   * Returns the text that a reference replaces, without line numbers. Undefined if the reference is unknown, ambiguous, or also written by
   * someone else.
   */
  expand(text: string): string | undefined;
  /** Whether a text is a reference or the start of one. */
  isPrefix(text: string): boolean;
}

/**
 * Collects the references in the sent part of a draft. A model that copies one into an answer or a file means the lines themselves, so the
 * expansion omits the line numbers that a tool printed.
 */
export function knownReferences(draft: Draft): KnownReferences {
  const found = new Map(draft.slots.flatMap(referencesIn).map((reference) => [reference.piece.made, reference]));
  const ambiguous = new Set(ambiguousMarks(draft));
  return {
    expand: (text) => {
      const reference = ambiguous.has(text) ? undefined : found.get(text);
      return reference === undefined || appearsElsewhere(text, draft) ? undefined : replacedText(draft, reference);
    },
    isPrefix: prefixSearch([...found.keys()]),
  };
}

/** Returns a predicate for texts that one of these texts starts with. */
export function prefixSearch(texts: readonly string[]): (text: string) => boolean {
  const sorted = texts.toSorted();
  return (text) => sorted[lowerBound(sorted, text)]?.startsWith(text) === true;
}

/**
 * Whether the user, a tool, the system prompt or a summary contains the same text; then it is unknown which one the model copied. The
 * assistant's own text does not count, because it may have copied ours before.
 */
function appearsElsewhere(reference: string, { raw: { system, tools, messages }, slots }: Draft): boolean {
  const others = messages.filter(({ role }) => role !== "assistant").map(({ blocks }) => blocks);
  const made = slots.filter((slot) => slot.kind === "made").map(({ message }) => message.blocks);
  return containsText([system, tools, others, made], reference);
}

/** Whether a value contains a text. The native value only repeats it. */
function containsText(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key !== "native" && containsText(inner, text));
}

/** Returns the index of the first text that is not less than `text`. */
function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Kind of the incoming text: an answer, free-text arguments, or JSON arguments, where references appear inside strings with JSON escapes. */
export type FilteredKind = "text" | "free-text" | "json";

/**
 * State of reading a text that arrives in pieces. In an answer a reference may be anywhere. In tool arguments it is expanded only if it is a
 * whole value: with text around it, it is quoted or imitated.
 */
export interface ReferenceFilter {
  readonly kind: FilteredKind;
  readonly isInString: boolean;
  /** Open arrays and objects: one `[` or `{` for each. */
  readonly open: string;
  /** Whether the next string is, or the current one was, an object key. */
  readonly isKey: boolean;
  /** Whether the value already contains something other than a reference. */
  readonly hasOtherText: boolean;
  /** An incomplete escape sequence. */
  readonly partialEscape: string;
  /** Text held back because it may be the start of a reference: decoded, and as written. */
  readonly held: string;
  readonly heldSource: string;
}

/** Result of one step of a filter. */
interface Filtered {
  readonly filter: ReferenceFilter;
  readonly text: string;
  /** Number of expanded references. */
  readonly expansions: number;
}

/** Returns a filter at the start of a text. */
export function openFilter(kind: FilteredKind): ReferenceFilter {
  const nothing = { partialEscape: "", held: "", heldSource: "" };
  return { kind, isInString: false, open: "", isKey: false, hasOtherText: false, ...nothing };
}

/** Reads more text and expands every known reference. It holds back only text that may still become a reference. */
export function filterText(filter: ReferenceFilter, text: string, references: KnownReferences): Filtered {
  const isPlain = filter.held === "" && filter.kind !== "json" && !text.includes(FIRST_CHARACTER);
  if (isPlain) return { filter: { ...filter, hasOtherText: filter.hasOtherText || text !== "" }, text, expansions: 0 };
  const progress: Progress = { ...filter, out: "", expansions: 0, references };
  for (let at = 0; at < text.length; at++) advance(progress, text.charAt(at));
  const { out, expansions, references: _, ...next } = progress;
  return { filter: next, text: out, expansions };
}

/** Releases the held-back text at the end of a complete text. */
export function finishFilter(filter: ReferenceFilter, references: KnownReferences): Filtered {
  const progress: Progress = { ...filter, out: "", expansions: 0, references };
  if (filter.kind === "free-text") endValue(progress);
  return { filter, text: progress.out + closeFilter(progress), expansions: progress.expansions };
}

/** Returns the held-back text when a text is cut off. */
export function closeFilter({
  heldSource,
  partialEscape,
}: Pick<ReferenceFilter, "heldSource" | "partialEscape">): string {
  return heldSource + partialEscape;
}

const FIRST_CHARACTER = "[";

type Progress = { -readonly [Key in keyof ReferenceFilter]: ReferenceFilter[Key] } & {
  out: string;
  expansions: number;
  readonly references: KnownReferences;
};

function advance(progress: Progress, character: string): void {
  if (progress.kind !== "json") readCharacter(progress, character, character);
  else if (!progress.isInString) readOutside(progress, character);
  else if (progress.partialEscape !== "" || character === "\\") readEscape(progress, character);
  else if (character === '"') readClosingQuote(progress);
  else readCharacter(progress, character, character);
}

function readOutside(progress: Progress, character: string): void {
  progress.isInString = character === '"';
  if (character === "{" || character === "[") progress.open += character;
  if (character === "}" || character === "]") progress.open = progress.open.slice(0, -1);
  if (character === "{" || character === ",") progress.isKey = progress.open.endsWith("{");
  if (character === "[" || character === ":") progress.isKey = false;
  progress.hasOtherText = false;
  progress.out += character;
}

function readClosingQuote(progress: Progress): void {
  endValue(progress);
  progress.isInString = false;
  progress.out += '"';
}

/** Expands a reference that is a whole value. */
function endValue(progress: Progress): void {
  const isWhole = !progress.hasOtherText && !progress.isKey;
  const expanded = isWhole ? progress.references.expand(progress.held) : undefined;
  if (expanded === undefined) release(progress);
  else writeExpansion(progress, expanded);
}

const WHOLE_ESCAPE = /^\\(?:u[0-9A-Fa-f]{4}|["\\/bfnrt])$/;
const LONGEST_ESCAPE = "\\u0000".length;

/** An escape that JSON does not define passes through unchanged. */
function readEscape(progress: Progress, character: string): void {
  const source = progress.partialEscape + character;
  const isWhole = WHOLE_ESCAPE.test(source);
  const isOver = isWhole || source.length >= LONGEST_ESCAPE || (source.length > 1 && !source.startsWith("\\u"));
  progress.partialEscape = isOver ? "" : source;
  if (isOver) readCharacter(progress, isWhole ? String(JSON.parse(`"${source}"`)) : "", source);
}

/** Reads one character, given decoded and as written. */
function readCharacter(progress: Progress, character: string, source: string): void {
  if (progress.held !== "" && !extendsReference(progress, character)) release(progress);
  if (!extendsReference(progress, character)) {
    progress.hasOtherText = true;
    progress.out += source;
    return;
  }
  progress.held += character;
  progress.heldSource += source;
  const expanded = progress.kind === "text" ? progress.references.expand(progress.held) : undefined;
  if (expanded !== undefined) writeExpansion(progress, expanded);
}

/** Whether a character starts or continues a reference. None can start in a value that already has other text. */
function extendsReference({ kind, held, hasOtherText: hasWords, references }: Progress, character: string): boolean {
  if (kind !== "text" && hasWords) return false;
  return character !== "" && references.isPrefix(held + character);
}

function writeExpansion(progress: Progress, expanded: string): void {
  progress.heldSource = progress.kind === "json" ? JSON.stringify(expanded).slice(1, -1) : expanded;
  progress.expansions++;
  release(progress);
}

function release(progress: Progress): void {
  progress.hasOtherText ||= progress.held !== "";
  progress.out += progress.heldSource;
  progress.held = "";
  progress.heldSource = "";
}
