import type { Draft } from "../edits/draft.ts";
import { type FoundReference, rawText, referencesIn } from "./check.ts";
import { withoutLineNumbers } from "./line-format.ts";

/** What arrives: an answer, a tool's arguments as free text, or as JSON, where markers stand inside strings and are escaped as those are. */
export type FilteredKind = "text" | "free-text" | "json";

/**
 * A text that arrives piece by piece, and how far it has been read. In an answer a marker may stand anywhere. In a tool's arguments it is
 * written out only if it is a whole value: words around it show that it is quoted, or that something else imitates it.
 */
export interface Filter {
  readonly kind: FilteredKind;
  readonly isInString: boolean;
  /** The lists and objects of JSON that are open: `[` or `{` for each. */
  readonly open: string;
  /** Whether the next string is, or this one was, the key of an object. */
  readonly isKey: boolean;
  /** Whether the value already says something that is not a marker. */
  readonly hasWords: boolean;
  /** An escape sequence that has begun. */
  readonly begunEscape: string;
  /** What is held back because it may be the beginning of a marker: as it says, and as it is written. */
  readonly held: string;
  readonly heldSource: string;
}

/** What a step of a filter lets through. */
interface Filtered {
  readonly filter: Filter;
  readonly text: string;
  /** How many markers gave way to what they stand for. */
  readonly expansions: number;
}

/** A filter at the beginning of a text. */
export function openFilter(kind: FilteredKind): Filter {
  const nothing = { begunEscape: "", held: "", heldSource: "" };
  return { kind, isInString: false, open: "", isKey: false, hasWords: false, ...nothing };
}

/** Reads on, and writes every known marker out. It holds back only what may still become a marker. */
export function filterText(filter: Filter, text: string, markers: KnownMarkers): Filtered {
  const isPlain = filter.held === "" && filter.kind !== "json" && !text.includes(FIRST_SIGN);
  if (isPlain) return { filter: { ...filter, hasWords: filter.hasWords || text !== "" }, text, expansions: 0 };
  const progress: Progress = { ...filter, out: "", expansions: 0, markers };
  for (let at = 0; at < text.length; at++) readSign(progress, text.charAt(at));
  const { out, expansions, markers: _, ...next } = progress;
  return { filter: next, text: out, expansions };
}

/** Lets out what is still held back when a text has ended as a whole. */
export function finishFilter(filter: Filter, markers: KnownMarkers): Filtered {
  const progress: Progress = { ...filter, out: "", expansions: 0, markers };
  if (filter.kind === "free-text") endValue(progress);
  return { filter, text: progress.out + closeFilter(progress), expansions: progress.expansions };
}

/** Returns the text that is still held back when a text breaks off. */
export function closeFilter({ heldSource, begunEscape }: Pick<Filter, "heldSource" | "begunEscape">): string {
  return heldSource + begunEscape;
}

const FIRST_SIGN = "⟨";

/** A filter while it reads. */
type Progress = { -readonly [Key in keyof Filter]: Filter[Key] } & {
  out: string;
  expansions: number;
  readonly markers: KnownMarkers;
};

function readSign(progress: Progress, sign: string): void {
  if (progress.kind !== "json") readCharacter(progress, sign, sign);
  else if (!progress.isInString) readOutside(progress, sign);
  else if (progress.begunEscape !== "" || sign === "\\") readEscape(progress, sign);
  else if (sign === '"') readClosingQuote(progress);
  else readCharacter(progress, sign, sign);
}

function readOutside(progress: Progress, sign: string): void {
  progress.isInString = sign === '"';
  if (sign === "{" || sign === "[") progress.open += sign;
  if (sign === "}" || sign === "]") progress.open = progress.open.slice(0, -1);
  if (sign === "{" || sign === ",") progress.isKey = progress.open.endsWith("{");
  if (sign === "[" || sign === ":") progress.isKey = false;
  progress.hasWords = false;
  progress.out += sign;
}

function readClosingQuote(progress: Progress): void {
  endValue(progress);
  progress.isInString = false;
  progress.out += '"';
}

/** Writes a marker out that is all of a value. */
function endValue(progress: Progress): void {
  const isWhole = !progress.hasWords && !progress.isKey;
  const expanded = isWhole ? progress.markers.expand(progress.held) : undefined;
  if (expanded === undefined) release(progress);
  else writeOut(progress, expanded);
}

const WHOLE_ESCAPE = /^\\(?:u[0-9A-Fa-f]{4}|["\\/bfnrt])$/;
const LONGEST_ESCAPE = "\\u0000".length;

/** An escape that JSON does not know is let through as it is. */
function readEscape(progress: Progress, sign: string): void {
  const source = progress.begunEscape + sign;
  const isWhole = WHOLE_ESCAPE.test(source);
  const isOver = isWhole || source.length >= LONGEST_ESCAPE || (source.length > 1 && !source.startsWith("\\u"));
  progress.begunEscape = isOver ? "" : source;
  if (isOver) readCharacter(progress, isWhole ? String(JSON.parse(`"${source}"`)) : "", source);
}

/** Reads one character, given as it says and as it is written. */
function readCharacter(progress: Progress, character: string, source: string): void {
  if (progress.held !== "" && !isBeginning(progress, character)) release(progress);
  if (!isBeginning(progress, character)) {
    progress.hasWords = true;
    progress.out += source;
    return;
  }
  progress.held += character;
  progress.heldSource += source;
  const expanded = progress.kind === "text" ? progress.markers.expand(progress.held) : undefined;
  if (expanded !== undefined) writeOut(progress, expanded);
}

/** Whether a character begins a marker, or goes on with one. In a value that says something already, none can begin. */
function isBeginning({ kind, held, hasWords, markers }: Progress, character: string): boolean {
  if (kind !== "text" && hasWords) return false;
  return character !== "" && markers.isBeginning(held + character);
}

function writeOut(progress: Progress, expanded: string): void {
  progress.heldSource = progress.kind === "json" ? JSON.stringify(expanded).slice(1, -1) : expanded;
  progress.expansions++;
  release(progress);
}

function release(progress: Progress): void {
  progress.hasWords ||= progress.held !== "";
  progress.out += progress.heldSource;
  progress.held = "";
  progress.heldSource = "";
}

/** The markers that a model has seen, and what each of them stands for. */
export interface KnownMarkers {
  /** The text that a marker stands for, without line numbers; undefined if it is unknown, has several meanings, or is imitated. */
  expand(marker: string): string | undefined;
  /** Whether a text is the beginning of a marker, or all of one. */
  isBeginning(text: string): boolean;
}

/**
 * The markers in what is sent of a draft. A model that copies one into an answer or a file means the lines themselves, so the line numbers
 * that a tool printed before them are no part of what it stands for.
 */
export function knownMarkers(draft: Draft): KnownMarkers {
  const found = new Map<string, FoundReference | undefined>();
  for (const reference of draft.slots.flatMap(referencesIn)) {
    const { made } = reference.piece;
    const earlier = found.get(made);
    const isAmbiguous =
      found.has(made) && (earlier === undefined || textOf(draft, earlier) !== textOf(draft, reference));
    found.set(made, isAmbiguous ? undefined : reference);
  }
  const sorted = [...found.keys()].sort();
  return {
    expand: (marker) => {
      const reference = found.get(marker);
      return reference === undefined || isImitated(marker, draft) ? undefined : textOf(draft, reference);
    },
    isBeginning: (text) => sorted[firstFrom(sorted, text)]?.startsWith(text) === true,
  };
}

/**
 * Whether somebody else says the same words: the user, a tool, the system prompt. Then it is unknown whose the model copied. Its own
 * earlier words don't count, because it may have copied ours before.
 */
function isImitated(marker: string, { raw: { system, tools, messages } }: Draft): boolean {
  const others = messages.filter(({ role }) => role !== "assistant").map(({ blocks }) => blocks);
  return says([system, tools, others], marker);
}

/** Whether a text is anywhere in a value. The value as it came says the same once more. */
function says(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key !== "native" && says(inner, text));
}

function textOf({ raw }: Draft, { reference, slot, block, path }: FoundReference): string {
  const { from, to } = reference.standsFor;
  return withoutLineNumbers(rawText(raw, { message: slot.index, block, path }).slice(from, to));
}

/** Index of the first text that does not come before the given one. */
function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
