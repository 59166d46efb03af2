import type { JsonValue, LonghaulError } from "@longhaul/conversation";
import { invalid } from "../terminal/invalid.ts";

/** Edits one format in place: everything outside the edited value keeps its bytes. Texts have no byte order mark. */
export interface Editor {
  /** Parses the whole text to plain data. Throws `settings.invalid` with line and column if it is not valid. */
  readonly parse: (text: string) => unknown;
  readonly encode: (value: JsonValue) => string;
  readonly sourceOf: (text: string, path: Path) => string | undefined;
  /** Puts an encoded value at a path and creates the objects on the way. */
  readonly put: (text: string, path: Path, encoded: string) => string;
  /** Removes the value at a path, and objects that it leaves empty if they are deeper than `keptDepth`. */
  readonly remove: (text: string, path: Path, keptDepth: number) => string;
}

/** The names on the way to a value. In YAML, `name=x` is the list entry whose name is x. */
export type Path = readonly string[];

export interface Span {
  readonly start: number;
  readonly end: number;
}

export function splice(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Returns the position after the line break that ends the line of a position, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found + 1;
}

export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? "";
}

/** Inserts whole lines at the beginning of a line, or at the end of a text whose last line may be open. */
export function insertLines(text: string, at: number, lines: readonly string[]): string {
  const lineBreak = lineBreakOf(text);
  const isOpen = at > 0 && text[at - 1] !== "\n";
  return splice(
    text,
    { start: at, end: at },
    (isOpen ? lineBreak : "") + lines.map((line) => line + lineBreak).join(""),
  );
}

export function invalidAt(text: string, at: number, what: string): LonghaulError {
  const line = text.slice(0, at).split("\n").length;
  const column = at - lineStart(text, at) + 1;
  return invalid(`not ${what} (line ${line}, column ${column}); fix it first`);
}
