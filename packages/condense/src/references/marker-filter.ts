import type { KnownMarkers } from "./known-markers.ts";

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
