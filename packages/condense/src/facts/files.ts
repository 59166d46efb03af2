import type { Content, ToolUse } from "../content/content.ts";
import { type FileChange, fileChangesOf } from "../content/file-changes.ts";
import { filesReadBy } from "../content/file-reads.ts";
import { actionOf, filesOf } from "../content/tool-action.ts";
import { identifiersIn } from "../coverage/identifiers.ts";
import { groupBy } from "../edits/lists.ts";
import { hasFailed, isPatch, PATCH } from "./failures.ts";

/** The text of the result of each tool use, in order. */
export type ResultTexts = ReadonlyMap<ToolUse, string>;

/** A file with what happened to it, in decreasing detail. */
export interface FileItem {
  readonly path: string;
  readonly text: string;
  readonly shortText: string;
}

/** Returns the changed files with their changes, the latest first and deleted ones last. A change that failed does not count. */
export function changedFiles(contents: readonly Content[], results: ResultTexts): FileItem[] {
  const nameOf = fullNames(contents);
  const argumentsOf = groupBy(
    contents.filter(({ level }) => level === "parameters"),
    ({ use }) => use,
  );
  const seen = new Set<string>();
  const changes = new Map<string, FileHistory>();
  for (const use of usesIn(contents)) {
    const files = isUndone(use, results.get(use) ?? "") ? [] : fileChangesOf(use);
    const [only, ...others] = files;
    const hasNames = only !== undefined && others.length === 0 && !PROSE.test(only.path);
    const names = hasNames ? addedNames(argumentsOf.get(use) ?? []) : [];
    for (const { path, kind } of files) {
      const name = nameOf(path);
      addChange(changes, { path: name, kind }, { isKnown: seen.has(name), names });
    }
    for (const { path } of [...files, ...filesOf(use.input)]) seen.add(nameOf(path));
  }
  return [...changes]
    .reverse()
    .sort(([, a], [, b]) => Number(a.isDeleted) - Number(b.isDeleted))
    .map(([path, history]) => itemOf(path, history));
}

function itemOf(path: string, history: FileHistory): FileItem {
  const what = describe(history);
  const names = history.names.slice(0, MAX_NAMES);
  const detail = names.length === 0 ? what : `${what}: ${names.join(", ")}`;
  return { path, text: `${path} (${detail})`, shortText: `${path} (${what})` };
}

/** Returns the files that were read and not changed, the latest first. */
export function readFiles(
  contents: readonly Content[],
  results: ResultTexts,
  changed: ReadonlySet<string>,
): FileItem[] {
  const nameOf = fullNames(contents);
  const paths = new Set<string>();
  for (const use of usesIn(contents).reverse()) {
    if (hasFailed(use, results.get(use) ?? "")) continue;
    for (const path of filesReadBy(use).map(nameOf)) if (!changed.has(path)) paths.add(path);
  }
  return [...paths].map((path) => ({ path, text: path, shortText: path }));
}

/** Returns a function that gives a file one name: the longest path in the conversation that ends with the given one. */
function fullNames(contents: readonly Content[]): (path: string) => string {
  const paths = new Set(
    usesIn(contents).flatMap((use) => [
      ...filesOf(use.input).map(({ path }) => path),
      ...fileChangesOf(use).map(({ path }) => path),
    ]),
  );
  const byName = groupBy(paths, lastPart);
  return (path) => {
    const plain = path.replace(/^\.\//, "");
    const longer = byName.get(lastPart(plain))?.filter((other) => other.endsWith(`/${plain}`)) ?? [];
    const longest = longer.toSorted((a, b) => b.length - a.length)[0];
    return longest !== undefined && longer.every((other) => longest.endsWith(other)) ? longest : plain;
  };
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a tool use changed nothing. A shell command that fails may have written its files before. */
function isUndone(use: ToolUse, result: string): boolean {
  const isPlainCommand = actionOf(use) === "command" && !isPatch(use);
  return isPlainCommand ? use.isError : hasFailed(use, result);
}

interface FileHistory {
  readonly isNew: boolean;
  readonly edits: number;
  readonly isDeleted: boolean;
  /** Names that the changes added, the latest first. */
  readonly names: readonly string[];
}

/** Adds a change; the file moves to the end of the map. A file that was only deleted counts if it was changed before. */
function addChange(
  changes: Map<string, FileHistory>,
  { path, kind }: FileChange,
  { isKnown, names }: { readonly isKnown: boolean; readonly names: readonly string[] },
): void {
  const before = changes.get(path);
  const all = [...new Set([...names, ...(before?.names ?? [])])];
  changes.delete(path);
  if (kind === "delete") changes.set(path, { isNew: false, edits: 0, isDeleted: true, names: [] });
  else if (before !== undefined && !before.isDeleted)
    changes.set(path, { ...before, edits: before.edits + 1, names: all });
  else
    changes.set(path, {
      isNew: kind === "write" && !isKnown,
      edits: kind === "edit" || isKnown ? 1 : 0,
      isDeleted: false,
      names: all,
    });
}

function describe({ isNew, edits, isDeleted }: FileHistory): string {
  if (isDeleted) return "deleted";
  const edited = edits === 1 ? "edited" : `edited ${edits} times`;
  return [...(isNew ? ["created"] : []), ...(edits > 0 ? [edited] : [])].join(", ");
}

/** Names that are listed for a changed file, and those that one change adds. */
const MAX_NAMES = 4;
const PROSE = /\.(?:md|mdx|rst|txt)$/i;
/** Arguments whose text an edit removes. */
const REMOVED = /old|search|find/i;
const DEFINED =
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var)\s+\*?([A-Za-z_$][\w$]{3,60})/g;

/** Returns the names that a change adds to its file: those that it defines, or else those that it mentions. */
function addedNames(parts: readonly Content[]): string[] {
  const removed: string[] = [];
  const added: string[] = [];
  for (const { text, at, use } of parts) {
    const isPath = use === undefined || filesOf(use.input).some(({ path }) => path === text);
    if (REMOVED.test(String(at.path.findLast((key) => typeof key === "string") ?? ""))) removed.push(text);
    else if (!isPath) addLines(actionOf(use) === "command" ? hereDocument(text) : text, { added, removed });
  }
  const gone = removed.join("\n");
  const isNew = (name: string) => !gone.includes(name) && !name.includes("/");
  const text = added.join("\n");
  const defined = [...text.matchAll(DEFINED)].map(([, name = ""]) => name).filter(isNew);
  const mentioned = identifiersIn(text).map((name) => name.replace(/^(?:this|self)\./, ""));
  const names = defined.length > 0 ? defined : mentioned.filter((name) => isNew(name) && /^[A-Za-z_]/.test(name));
  return [...new Set(names)].slice(0, MAX_NAMES);
}

/** Returns the text of a here document in a shell command: all lines between the first one and the closing word. */
function hereDocument(command: string): string {
  return /<<-?[ \t]?['"]?(\w{1,40})['"]?[^\n]*\n([\s\S]*?)(?:\n\1\b|$)/.exec(command)?.[2] ?? "";
}

/** Splits the lines of a patch; of any other text, all lines are added. */
function addLines(text: string, { added, removed }: { added: string[]; removed: string[] }): void {
  if (!PATCH.test(text)) {
    added.push(text);
    return;
  }
  for (const line of text.split("\n")) {
    if (line.startsWith("-")) removed.push(line.slice(1));
    else if (line.startsWith("+")) added.push(line.slice(1));
  }
}

function usesIn(contents: readonly Content[]): ToolUse[] {
  return [...new Set(contents.flatMap(({ use }) => use ?? []))];
}
