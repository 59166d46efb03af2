import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf } from "../content/file-changes.ts";
import type { FileChange } from "../content/shell-changes.ts";
import { groupBy } from "../edits/lists.ts";
import { isTodoList, latestLists } from "../facts/fact.ts";
import { hasFailed } from "../facts/failures.ts";
import { changedText, fullNames } from "../facts/files.ts";
import { plainLine } from "./identifiers.ts";

/** Returns whether a plain line of a content about a file is outdated. */
export type IsOutdated = (content: Content, plain: string, file: string | undefined) => boolean;

/**
 * Finds lines that a model must not take for the current state: those of changes that failed, those that a change removed, those of
 * deleted files, and lists of to-dos before the latest one.
 */
export function outdatedIn(contents: readonly Content[]): IsOutdated {
  const failed = new Set<ToolUse>();
  for (const { level, use, text } of contents)
    if (level === "result" && use !== undefined && fileChangesOf(use).length > 0 && hasFailed(use, text))
      failed.add(use);
  const versions = versionsIn(contents, failed);
  const lists = latestLists(contents);
  const deletedAt = deletionsIn(contents, failed);
  const isReplaced = ({ use, level, at }: Content) =>
    level === "parameters" && use !== undefined && (failed.has(use) || (isTodoList(use) && !lists.has(at.message)));
  return (content, plain, file) => {
    const { message } = content.at;
    if (isReplaced(content)) return true;
    if (file === undefined || message < deletedAt(file)) return file !== undefined;
    const version = versions.get(file);
    return version !== undefined && plain.length >= MIN_CHARACTERS && isRemoved(plain, message, version);
  };
}

function isRemoved(plain: string, message: number, { removedAt, written }: Version): boolean {
  if (message <= (removedAt.get(plain) ?? -1)) return true;
  return written !== undefined && message < written.at && !written.lines.has(plain);
}

/** Returns a function that gives the latest message that deleted a file or replaced it with another one, or -1. */
function deletionsIn(contents: readonly Content[], failed: ReadonlySet<ToolUse>): (file: string) => number {
  const deletions = new Map<string, number>();
  const nameOf = cacheByKey(fullNames(contents));
  for (const use of new Set(contents.flatMap(({ use }) => use ?? []))) {
    if (failed.has(use) || use.isError) continue;
    for (const { path, kind, to = path } of fileChangesOf(use)) {
      if (kind === "delete" || kind === "move") deletions.set(nameOf(to), use.callMessage);
      if (kind === "restore") deletions.delete(nameOf(path));
    }
  }
  return (file) => (deletions.size === 0 ? -1 : (deletions.get(nameOf(file)) ?? -1));
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
  /** The message that removed each line that was not added again. */
  readonly removedAt: Map<string, number>;
  /** The lines of the file since it was last written as a whole. */
  written?: { readonly at: number; readonly lines: Set<string> };
}

function versionsIn(contents: readonly Content[], failed: ReadonlySet<ToolUse>): Map<string, Version> {
  const parts = groupBy(
    contents.filter(({ level, use }) => level === "parameters" && use !== undefined && !failed.has(use)),
    ({ use }) => use,
  );
  const versions = new Map<string, Version>();
  for (const [use, own] of parts) {
    const [change, ...others] = fileChangesOf(use);
    if (change === undefined || others.length > 0) continue;
    const version = versions.get(change.path) ?? { removedAt: new Map() };
    addChange(version, change, own);
    versions.set(change.path, version);
  }
  return versions;
}

function addChange(version: Version, { kind }: FileChange, parts: readonly Content[]): void {
  if (kind !== "write" && kind !== "edit") return;
  const { added, removed } = changedText(parts);
  const at = parts[0]?.at.message ?? 0;
  const lines = linesOf(added);
  if (kind === "edit") for (const line of linesOf(removed)) version.removedAt.set(line, at);
  // A write whose text is not in its arguments, such as the output of a command, says nothing about the lines.
  else if (lines.size > 0) version.written = { at, lines };
  for (const line of lines) {
    version.removedAt.delete(line);
    version.written?.lines.add(line);
  }
}

function linesOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split("\n").map(plainLine)));
}
