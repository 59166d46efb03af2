import { existsSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { LonghaulError, table } from "@longhaul/conversation/advanced";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf } from "../terminal/user-file.ts";
import type { ClientFile } from "./clients.ts";
import type { Editor, Path } from "./editor.ts";
import { ENV } from "./env-edit.ts";
import { fillValue, type Placeholders } from "./fill.ts";
import { findLine, withHeader, withoutHeader } from "./header-lines.ts";
import { JSON_TEXT } from "./json-edit.ts";
import { holdersIn, requireRoom, valueAt, withoutValue, withValue } from "./settings-data.ts";
import { makeFolder, readStored, removeFolders, replaceStored, requireWritable } from "./stored-file.ts";
import { TOML } from "./toml-edit.ts";
import {
  type CreatedKey,
  dropRecord,
  hashOf,
  hashOfText,
  keepRecord,
  readRecord,
  type UndoRecord,
} from "./undo-record.ts";
import { YAML } from "./yaml-edit.ts";

/** A planned change of a settings file. Without a text before, the file is new; without one after, it is removed. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly mode?: number | undefined;
  readonly record: UndoRecord | undefined;
  readonly notes: readonly string[];
  /** The API keys that earlier writes created for the file. */
  readonly keys?: readonly CreatedKey[];
}

const EDITORS: Readonly<Record<ClientFile["format"], Editor>> = table({
  json: JSON_TEXT,
  toml: TOML,
  yaml: YAML,
  env: ENV,
});
const OTHERS = 0o077;

export function settingsPath(
  { folder, variable, names }: ClientFile,
  { environment }: Pick<Terminal, "environment">,
): string {
  const home = environment.HOME || homedir();
  const chosen = (variable === undefined ? undefined : environment[variable]) || folder.replace(/^~/, home);
  const paths = names.map((name) => join(chosen, name));
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? chosen;
}

/** Returns the value of a setting in a client's file, if the file exists and has it. Throws if the file cannot be read. */
export function settingAt(path: string, { format }: ClientFile, setting: Path): unknown {
  return withPath(path, () => {
    const stored = readStored(path);
    return stored && valueAt(EDITORS[format].parse(withoutMark(stored.text)), setting);
  });
}

/** Plans to put the client's settings into its file. Throws if the file cannot be edited safely. */
export function planWrite(
  file: ClientFile,
  placeholders: Placeholders,
  terminal: Pick<Terminal, "environment">,
): FileChange {
  const path = settingsPath(file, terminal);
  return withPath(path, () => {
    const stored = readStored(path);
    const record = readRecord(path);
    const base = stored && beforeFirstWrite(stored.text, record, file);
    const after = withSettings(stored && withoutStale(stored.text, record, { file, placeholders }), file, placeholders);
    const mode = stored && holdsKey(file, placeholders) ? withoutOthers(stored.mode) : undefined;
    if (after !== stored?.text || mode !== undefined) requireWritable(path);
    const modes = mode && stored ? { before: stored.mode, after: mode } : record?.mode;
    const written = recordOf(after, file, placeholders);
    const { keys = [] } = record ?? {};
    const next = { ...written, before: base, folder: record?.folder, mode: modes };
    const notes = mode && stored ? [modeNote(path, stored.mode, mode)] : [];
    return { path, before: stored?.text, after, mode, record: next, notes, keys };
  });
}

function beforeFirstWrite(text: string, record: UndoRecord | undefined, file: ClientFile): string | undefined {
  return record === undefined ? text : revert(text, record, file).text;
}

/** Removes settings that an earlier `--write` wrote and this one does not, such as a key. */
function withoutStale(
  text: string,
  record: UndoRecord | undefined,
  { file, placeholders }: { readonly file: ClientFile; readonly placeholders: Placeholders },
): string | undefined {
  if (record === undefined) return text;
  const written = piecesOf(file, placeholders);
  const stale = record.pieces.filter(({ path }) => !written.some((piece) => isDeepStrictEqual(piece, path)));
  return revertPieces(text, { ...record, pieces: stale }, file).text;
}

/** Returns the mode without permissions for other users, if it has any. */
function withoutOthers(mode: number): number | undefined {
  return process.platform !== "win32" && mode & OTHERS ? mode & ~OTHERS : undefined;
}

function modeNote(path: string, before: number, after: number): string {
  const octal = (mode: number) => mode.toString(8).padStart(4, "0");
  return `${path} contains a key: changing its permissions from ${octal(before)} to ${octal(after)}.`;
}

function holdsKey(file: ClientFile, { key, headerKey }: Placeholders): boolean {
  const settings = JSON.stringify(file.settings);
  return (
    (key !== undefined && /\{(?:key|anyKey)\}/.test(settings)) ||
    (headerKey !== undefined && settings.includes("{headerKey}"))
  );
}

function filledIn(file: ClientFile, placeholders: Placeholders) {
  return file.settings.flatMap(({ value: template, ...setting }) => {
    const value = fillValue(template, placeholders);
    return value === undefined || value === null ? [] : [{ ...setting, value }];
  });
}

/** Returns a text with the client's settings in it, or the text of a new file. */
export function withSettings(before: string | undefined, file: ClientFile, placeholders: Placeholders): string {
  const editor = EDITORS[file.format];
  return edit(before ?? file.opening ?? "", (whole) => {
    let text = whole;
    let data = editor.parse(text);
    for (const { path, value: filled, isHeader } of filledIn(file, placeholders)) {
      const there = valueAt(data, path);
      const value = isHeader ? withHeader(typeof there === "string" ? there : "", String(filled)) : filled;
      requireRoom(data, path, value);
      const isThere = isDeepStrictEqual(there, value);
      if (!isThere) text = editor.put(text, path, editor.encode(value));
      data = withValue(data, path, value);
    }
    requireData(editor, text, data);
    return text;
  });
}

/** Edits a text and keeps its byte order mark. */
function edit(text: string, change: (text: string) => string): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return mark + change(text.slice(mark.length));
}

/** Throws if an edited text does not parse to the wanted data: the editor does not support this file's layout. */
function requireData(editor: Editor, text: string, wanted: unknown): void {
  let cause: unknown;
  try {
    if (isDeepStrictEqual(editor.parse(text), wanted)) return;
  } catch (error) {
    cause = error;
  }
  const why = "cannot be edited without changing other settings; change it manually (see `longhaul connect <client>`)";
  throw invalid(why, cause);
}

/** Returns the path of the value that `--undo` restores for a setting: its own, or the object that is restored as a whole. */
function pieceOf({ wholes = [] }: ClientFile, path: Path): Path {
  return wholes.find((whole) => whole.every((name, index) => path[index] === name)) ?? path;
}

function piecesOf(file: ClientFile, placeholders: Placeholders): Path[] {
  const paths = filledIn(file, placeholders).map(({ path }) => pieceOf(file, path));
  return paths.filter((path, index) => paths.findIndex((other) => isDeepStrictEqual(other, path)) === index);
}

function recordOf(after: string, file: ClientFile, placeholders: Placeholders): Omit<UndoRecord, "before"> {
  const data = EDITORS[file.format].parse(withoutMark(after));
  const filled = filledIn(file, placeholders);
  const pieces = piecesOf(file, placeholders).map((path) => {
    const header = filled.find((each) => each.isHeader && isDeepStrictEqual(each.path, path));
    return header === undefined
      ? { path, hash: hashOf(valueAt(data, path)) }
      : { path, hash: hashOf(header.value), isHeader: true as const };
  });
  return { afterHash: hashOfText(after), pieces };
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** Plans to restore the file, except for values that changed since. Without an undo record, nothing changes. */
export function planUndo(file: ClientFile, terminal: Pick<Terminal, "environment">): FileChange {
  const path = settingsPath(file, terminal);
  return withPath(path, () => {
    const stored = readStored(path);
    const record = readRecord(path);
    if (record === undefined) return { path, before: stored?.text, after: stored?.text, record, notes: [] };
    const rest = { path, before: stored?.text, record: undefined, keys: record.keys ?? [] };
    if (stored === undefined) return { ...rest, after: undefined, notes: [`${path} no longer exists.`] };
    const { text, kept } = revert(stored.text, record, file);
    const isOurMode = record.mode?.after === stored.mode && kept.length === 0 && text !== undefined;
    const mode = isOurMode ? record.mode?.before : undefined;
    if (text !== stored.text) requireWritable(path);
    const notes = kept.map((each) => `Kept ${each.join(".")} in ${path}: it changed after Longhaul wrote it.`);
    return { ...rest, after: text, mode, notes };
  });
}

interface Reverted {
  /** Absent if nothing is left of a file that Longhaul created. */
  readonly text: string | undefined;
  /** Paths whose values have changed since. */
  readonly kept: readonly Path[];
}

function revert(text: string, record: UndoRecord, file: ClientFile): Reverted {
  if (hashOfText(text) === record.afterHash) return { text: record.before, kept: [] };
  return text === record.before ? { text, kept: [] } : revertPieces(text, record, file);
}

function revertPieces(text: string, record: UndoRecord, file: ClientFile): Reverted {
  const editor = EDITORS[file.format];
  const original = withoutMark(record.before ?? file.opening ?? "");
  const originalData = editor.parse(original);
  const data = editor.parse(withoutMark(text));
  const headerOf = ({ path, hash, isHeader }: Piece) =>
    isHeader ? findLine(valueAt(data, path), (line) => hashOf(line) === hash) : undefined;
  const isOurs = (piece: Piece) =>
    piece.isHeader ? headerOf(piece) !== undefined : hashOf(valueAt(data, piece.path)) === piece.hash;
  const ours = record.pieces.filter(isOurs).flatMap((piece): Restored[] => {
    const header = headerOf(piece);
    if (header !== undefined) return [{ path: piece.path, original, header }];
    return partsOf(piece.path, originalData, file).map((path) => ({ path, original }));
  });
  const kept = record.pieces
    .filter(
      (piece) => !isOurs(piece) && !isDeepStrictEqual(valueAt(data, piece.path), valueAt(originalData, piece.path)),
    )
    .map(({ path }) => path);
  const rest = edit(text, (whole) => ours.reduce((each, piece) => restore(each, piece, editor), whole));
  const isLeft = record.before !== undefined || !["", "{}", original].some((empty) => isSameText(rest, empty));
  return { text: isLeft ? rest : undefined, kept };
}

/** Restores the settings of an object that existed before one by one, so that it keeps its other values. */
function partsOf(piece: Path, original: unknown, file: ClientFile): Path[] {
  if (valueAt(original, piece) === undefined) return [piece];
  return file.settings.map(({ path }) => path).filter((path) => isDeepStrictEqual(pieceOf(file, path), piece));
}

type Piece = UndoRecord["pieces"][number];

interface Restored {
  readonly path: Path;
  /** The text before the first write. */
  readonly original: string;
  /** The line that Longhaul wrote, if the value may have others. */
  readonly header?: string;
}

function restore(text: string, { path, original, header }: Restored, editor: Editor): string {
  const encoded = editor.sourceOf(original, path);
  const [data, originalData] = [editor.parse(text), editor.parse(original)];
  const left = header && withoutHeader(String(valueAt(data, path)), header, valueAt(originalData, path));
  if (left !== undefined && left !== valueAt(originalData, path)) {
    const kept = editor.put(text, path, editor.encode(left));
    requireData(editor, kept, withValue(data, path, left));
    return kept;
  }
  if (encoded !== undefined) {
    const restored = editor.put(text, path, encoded);
    requireData(editor, restored, withValue(data, path, valueAt(originalData, path)));
    return restored;
  }
  const keptDepth = holdersIn(originalData, path);
  const removed = editor.remove(text, path, keptDepth);
  requireData(editor, removed, withoutValue(data, path, keptDepth));
  return removed;
}

function isSameText(one: string, other: string): boolean {
  const packed = (text: string) => withoutMark(text).replaceAll(/\s+/g, "");
  return packed(one) === packed(other);
}

/** Writes a planned change. Throws if the file has changed since it was planned. */
export function writeChange({ path, before, after, mode, record }: FileChange): void {
  withPath(path, () => {
    if (readStored(path)?.text !== before) {
      throw invalid("another program has just changed it; try again");
    }
    const made = readRecord(path)?.folder;
    if (record !== undefined) {
      const folder = makeFolder(path) ?? record.folder;
      keepRecord(path, { ...record, folder });
    }
    if (after === undefined) rmSync(path, { force: true });
    else if (after !== before || mode !== undefined) replaceStored(path, after, mode);
    if (record !== undefined) return;
    dropRecord(path);
    if (made !== undefined) removeFolders(path, made);
  });
}

/** Adds the path of the file to errors. */
function withPath<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    const why = cause instanceof LonghaulError ? cause.message : reasonOf(cause);
    throw invalid(`${path}: ${why}`, cause);
  }
}
