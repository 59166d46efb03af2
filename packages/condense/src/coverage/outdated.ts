import { isJsonObject } from "@longhaul/conversation/advanced";
import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf, isRemovedText } from "../content/file-changes.ts";
import type { FileChange } from "../content/shell-changes.ts";
import { cacheLatest, groupBy } from "../edits/lists.ts";
import { isTodoList, latestLists } from "../facts/fact.ts";
import { changedText, fullNames, isUndone, resultsIn, usesIn } from "../facts/files.ts";
import { plainLine } from "./identifiers.ts";

/** Returns whether a plain line of a content about a file is outdated. */
export type IsOutdated = (content: Content, plain: string, file: string | undefined) => boolean;

/**
 * Finds lines that a model must not take for the current state: those of changes that failed, those that a change removed, those of
 * deleted files, and lists of to-dos before the latest one. Calls that change several files say nothing about single lines.
 */
export function outdatedIn(contents: readonly Content[]): IsOutdated {
  const results = resultsIn(contents);
  const changing = usesIn(contents).filter((use) => fileChangesOf(use).length > 0);
  const undone = new Set(changing.filter((use) => isUndone(use, results.get(use) ?? "")));
  const done = changing.filter((use) => !undone.has(use));
  const nameOf = cacheByKey(fullNames(contents));
  const versions = versionsIn(contents, done, nameOf);
  const lists = latestLists(contents);
  const deletedAt = deletionsIn(done, nameOf);
  const linesIn = cacheLatest(({ text }: Content) => countLines([text]));
  const isReplaced = ({ use, level, at }: Content) =>
    level === "parameters" && use !== undefined && (undone.has(use) || (isTodoList(use) && !lists.has(at.message)));
  return (content, plain, file) => {
    if (isReplaced(content)) return true;
    if (file === undefined) return false;
    const name = nameOf(file);
    if (content.at.message < (deletedAt.get(name) ?? -1)) return true;
    const version = versions.get(name);
    if (version === undefined || plain.length < MIN_CHARACTERS) return false;
    const removed = copiesRemoved(plain, content, version);
    if (removed > 0 && removed >= (linesIn(content).get(plain) ?? 0)) return true;
    return isOverwritten(plain, content, version);
  };
}

/** Returns how many copies of a line the changes since a content removed. */
function copiesRemoved(plain: string, content: Content, { changes }: Version): number {
  // What an edit removes was there before it; all else that it says is so after it.
  const from = content.at.message + (isRemovedText(content) ? 0 : 1);
  const known = changes.get(plain) ?? [];
  const latest = known.at(-1);
  if (latest === undefined || latest.at < from) return 0;
  const { total, everywhere } = latest;
  if (everywhere === undefined || everywhere.at < from) return total - totalBefore(known, from);
  return total < everywhere.total ? total - everywhere.total : ALL_COPIES;
}

/** Returns how many copies of a line all changes before a message removed. */
function totalBefore(changes: readonly LineChange[], message: number): number {
  let low = 0;
  for (let high = changes.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.at ?? message) >= message) high = middle;
    else low = middle + 1;
  }
  return changes[low - 1]?.total ?? 0;
}

function isOverwritten(plain: string, { at }: Content, { written }: Version): boolean {
  return written !== undefined && at.message < written.at && !written.lines.has(plain);
}

/** Returns for each file the latest message that deleted it or replaced it with another one. */
function deletionsIn(done: readonly ToolUse[], nameOf: (path: string) => string): ReadonlyMap<string, number> {
  const deletions = new Map<string, number>();
  for (const use of done) {
    for (const { path, kind, to = path } of fileChangesOf(use)) {
      if (kind === "delete" || kind === "move") deletions.set(nameOf(to), use.callMessage);
      if (kind === "restore") deletions.delete(nameOf(path));
    }
  }
  return deletions;
}

function cacheByKey<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}

/** Shorter lines, such as brackets, are in every version. */
const MIN_CHARACTERS = 6;

/** What is known of the latest version of a file. */
interface Version {
  /** For each line the messages that removed or added copies of it since the file was last written as a whole, in order. */
  readonly changes: Map<string, LineChange[]>;
  /** The lines of the file since it was last written as a whole. */
  written?: { readonly at: number; readonly lines: Set<string> };
}

interface LineChange {
  readonly at: number;
  /** How many copies all changes up to this one removed, except for those that removed every copy; negative if they added some. */
  readonly total: number;
  /** The latest change up to this one that removed every copy. */
  readonly everywhere?: { readonly at: number; readonly total: number } | undefined;
}

/** An edit may replace every copy of a text. */
const ALL_COPIES = Number.POSITIVE_INFINITY;

function versionsIn(
  contents: readonly Content[],
  done: readonly ToolUse[],
  nameOf: (path: string) => string,
): Map<string, Version> {
  const parts = groupBy(
    contents.filter(({ level }) => level === "parameters"),
    ({ use }) => use,
  );
  const versions = new Map<string, Version>();
  for (const use of done) {
    const [change, ...others] = fileChangesOf(use);
    if (change === undefined || others.length > 0) continue;
    const name = nameOf(change.path);
    const version = versions.get(name) ?? { changes: new Map() };
    addChange(version, change, parts.get(use) ?? []);
    versions.set(name, version);
  }
  return versions;
}

function addChange(version: Version, { kind }: FileChange, parts: readonly Content[]): void {
  if (kind !== "write" && kind !== "edit") return;
  const { added, removed } = changedText(parts);
  const at = parts[0]?.at.message ?? 0;
  const lines = countLines(added);
  // A write whose text is not in its arguments, such as the output of a command, says nothing about the lines.
  if (kind === "write" && lines.size > 0) version.written = { at, lines: new Set(lines.keys()) };
  if (kind === "write") for (const line of lines.keys()) version.changes.delete(line);
  else addEdit(version, at, { lines, gone: countLines(removed), isEverywhere: replacesAll(parts[0]?.use) });
}

interface EditedLines {
  readonly lines: ReadonlyMap<string, number>;
  readonly gone: ReadonlyMap<string, number>;
  readonly isEverywhere: boolean;
}

function addEdit({ changes, written }: Version, at: number, { lines, gone, isEverywhere }: EditedLines): void {
  for (const line of lines.keys()) written?.lines.add(line);
  for (const line of new Set([...gone.keys(), ...lines.keys()])) {
    const copies = (gone.get(line) ?? 0) - (lines.get(line) ?? 0);
    if (copies === 0) continue;
    const known = changes.get(line) ?? [];
    const { total = 0, everywhere } = known.at(-1) ?? {};
    const removesAll = isEverywhere && copies > 0;
    known.push(removesAll ? { at, total, everywhere: { at, total } } : { at, total: total + copies, everywhere });
    changes.set(line, known);
  }
}

function replacesAll(use: ToolUse | undefined): boolean {
  const input = use?.input ?? null;
  return isJsonObject(input) && (input.replace_all === true || input.replaceAll === true);
}

function countLines(texts: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const text of texts) {
    for (const line of text.split("\n")) {
      const plain = plainLine(line);
      lines.set(plain, (lines.get(plain) ?? 0) + 1);
    }
  }
  return lines;
}
