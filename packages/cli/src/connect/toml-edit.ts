import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import {
  type Editor,
  indentAt,
  insertLines,
  invalidAt,
  lineEnd,
  lineStart,
  type Path,
  type Span,
  splice,
} from "./editor.ts";

/** Edits TOML by the ranges of its syntax tree, in the style that the file uses: tables, inline tables or dotted keys. */
export const TOML: Editor = {
  parse: (text) => getStaticTOMLValue(open(text)),
  encode: encode,
  sourceOf: (text, path) => {
    const found = entriesIn(open(text)).find((entry) => isSame(entry.path, path));
    return found && text.slice(...found.pair.value.range);
  },
  put,
  remove,
};

function open(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: "1.1" });
  } catch (cause) {
    if (cause instanceof ParseError) throw invalidAt(text, cause.index, `valid TOML: ${cause.message}`);
    throw cause;
  }
}

function encode(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(encode).join(", ")}]`;
  // TOML forbids DEL in a string; JSON does not escape it.
  if (!isJsonObject(value)) return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  const pairs = Object.entries(value).map(([name, entry]) => `${encodeName(name)} = ${encode(entry ?? null)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

function encodeName(name: string): string {
  return /^[\w-]+$/.test(name) ? name : encode(name);
}

type AnyPath = readonly (string | number)[];
type Table = AST.TOMLTopLevelTable | AST.TOMLTable | AST.TOMLInlineTable;

interface Entry {
  readonly path: AnyPath;
  readonly pair: AST.TOMLKeyValue;
  /** The table whose body it is in, and that table's path. */
  readonly table: Table;
  readonly tablePath: AnyPath;
}

function entriesIn(program: AST.TOMLProgram): Entry[] {
  const [root] = program.body;
  return [root, ...headersIn(program)].flatMap((table) =>
    entriesOf(table, table.type === "TOMLTable" ? table.resolvedKey : []),
  );
}

function headersIn(program: AST.TOMLProgram): AST.TOMLTable[] {
  return program.body[0].body.filter((node) => node.type === "TOMLTable");
}

function entriesOf(table: Table, tablePath: AnyPath): Entry[] {
  return table.body.flatMap((pair) => {
    if (pair.type !== "TOMLKeyValue") return [];
    const names = pair.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
    const path = [...tablePath, ...names];
    const inner = pair.value.type === "TOMLInlineTable" ? entriesOf(pair.value, path) : [];
    return [{ path, pair, table, tablePath }, ...inner];
  });
}

function put(text: string, path: Path, encoded: string): string {
  const program = open(text);
  const entries = entriesIn(program);
  const there = entries.find((entry) => isSame(entry.path, path));
  if (there !== undefined) return splice(text, spanOf(there.pair.value), encoded);
  const inline = entries.findLast(({ path: own, pair }) => pair.value.type === "TOMLInlineTable" && isBelow(path, own));
  if (inline !== undefined) return putInline(text, inline, { path, encoded });
  const header = headersIn(program).find(
    (table) => table.kind === "standard" && isSame(table.resolvedKey, path.slice(0, -1)),
  );
  const sibling = entries
    .filter((entry) => entry.path.length > 1 && sharedDepth(entry.path, path) > entry.tablePath.length)
    .reduce<Entry | undefined>((best, entry) => (isCloser(entry, best, path) ? entry : best), undefined);
  if (header !== undefined) {
    const last = header.body.at(-1);
    return putLine(text, last ?? header.key, `${encodeName(path.at(-1) ?? "")} = ${encoded}`);
  }
  if (sibling !== undefined) {
    const dotted = path.slice(sibling.tablePath.length).map(encodeName).join(".");
    return putLine(text, sibling.pair, `${dotted} = ${encoded}`);
  }
  if (path.length === 1) return putRoot(text, program, `${encodeName(path[0] ?? "")} = ${encoded}`);
  const lines = [`[${path.slice(0, -1).map(encodeName).join(".")}]`, `${encodeName(path.at(-1) ?? "")} = ${encoded}`];
  return insertLines(text, text.length, /\S/.test(text) ? withBlank(text, lines) : lines);
}

function withBlank(text: string, lines: readonly string[]): string[] {
  return /\n[ \t]*\r?\n$/.test(text) ? [...lines] : ["", ...lines];
}

function isCloser(entry: Entry, best: Entry | undefined, path: Path): boolean {
  return best === undefined || sharedDepth(entry.path, path) >= sharedDepth(best.path, path);
}

function putLine(text: string, above: AST.TOMLNode, line: string): string {
  const [start, end] = above.range;
  return insertLines(text, lineEnd(text, end), [indentAt(text, start) + line]);
}

function putRoot(text: string, program: AST.TOMLProgram, line: string): string {
  const last = program.body[0].body.findLast((node) => node.type === "TOMLKeyValue");
  if (last !== undefined) return putLine(text, last, line);
  const [header] = headersIn(program);
  if (header === undefined) return insertLines(text, text.length, [line]);
  return insertLines(text, aboveComments(text, lineStart(text, header.range[0])), [line, ""]);
}

/** Returns the beginning of the comment lines right above a line, which belong to it. */
function aboveComments(text: string, at: number): number {
  let start = at;
  while (start > 0 && /^[ \t]*#/.test(text.slice(lineStart(text, start - 1), start)))
    start = lineStart(text, start - 1);
  return start;
}

interface NewValue {
  readonly path: Path;
  readonly encoded: string;
}

function putInline(text: string, { path: own, pair }: Entry, { path, encoded }: NewValue): string {
  if (pair.value.type !== "TOMLInlineTable") return text;
  const names = path.slice(own.length).map(encodeName);
  const written = names.reduceRight(
    (inner, name, index) => `${name} = ${index === names.length - 1 ? inner : `{ ${inner} }`}`,
    encoded,
  );
  const last = pair.value.body.at(-1);
  if (last === undefined) return splice(text, spanOf(pair.value), `{ ${written} }`);
  return splice(text, { start: last.range[1], end: last.range[1] }, `, ${written}`);
}

function remove(text: string, path: Path, keptDepth: number): string {
  const inside = entriesIn(open(text)).find((entry) => isSame(entry.path, path) || isBelow(entry.path, path));
  if (inside !== undefined) return remove(removeEntry(text, inside, keptDepth), path, keptDepth);
  return removeHeaders(text, path, keptDepth);
}

function removeEntry(text: string, entry: Entry, keptDepth: number): string {
  const { table, pair, tablePath } = entry;
  if (table.type !== "TOMLInlineTable") return removeLines(text, linesOf(text, pair));
  if (table.body.length === 1 && tablePath.length > keptDepth) {
    const holder = entriesIn(open(text)).find((each) => each.pair.value.range[0] === table.range[0]);
    if (holder !== undefined) return removeEntry(text, holder, keptDepth);
  }
  const index = table.body.indexOf(pair);
  const [before, after] = [table.body[index - 1], table.body[index + 1]];
  if (before !== undefined) return splice(text, { start: before.range[1], end: pair.range[1] }, "");
  if (after !== undefined) return splice(text, { start: pair.range[0], end: after.range[0] }, "");
  return splice(text, spanOf(table), "{}");
}

/** Removes lines. If there is a blank line above and below, only one is left. */
function removeLines(text: string, { start, end }: Span): string {
  const isBlankAbove = start === 0 || isBlankLine(text, start - 1);
  const isBlankBelow = end < text.length && isBlankLine(text, end);
  return splice(text, { start, end: isBlankAbove && isBlankBelow ? lineEnd(text, end) : end }, "");
}

function isBlankLine(text: string, at: number): boolean {
  return text.slice(lineStart(text, at), lineEnd(text, at)).trim() === "";
}

/** Removes the headers of empty tables on the path and below it. */
function removeHeaders(text: string, path: Path, keptDepth: number): string {
  const program = open(text);
  const entries = entriesIn(program);
  const header = headersIn(program).find(({ resolvedKey, kind }) => {
    const isOnPath = isSame(resolvedKey, path) || isBelow(resolvedKey, path) || isBelow(path, resolvedKey);
    const isEmpty = !entries.some((entry) => isBelow(entry.path, resolvedKey));
    const hasTables = headersIn(program).some((other) => isBelow(other.resolvedKey, resolvedKey));
    return kind === "standard" && isOnPath && isEmpty && !hasTables && resolvedKey.length > keptDepth;
  });
  if (header === undefined) return text;
  const { start, end } = linesOf(text, header.key);
  const from = start > 0 && isBlankLine(text, start - 1) ? lineStart(text, start - 1) : start;
  return removeHeaders(splice(text, { start: from, end }, ""), path, keptDepth);
}

function linesOf(text: string, { range: [start, end] }: AST.TOMLNode): Span {
  return { start: lineStart(text, start), end: lineEnd(text, end) };
}

function spanOf({ range: [start, end] }: AST.TOMLNode): Span {
  return { start, end };
}

function sharedDepth(one: AnyPath, other: AnyPath): number {
  const differs = one.findIndex((name, index) => name !== other[index]);
  return differs === -1 ? one.length : differs;
}

function isSame(one: AnyPath, other: AnyPath): boolean {
  return one.length === other.length && sharedDepth(one, other) === one.length;
}

function isBelow(path: AnyPath, above: AnyPath): boolean {
  return path.length > above.length && sharedDepth(above, path) === above.length;
}
