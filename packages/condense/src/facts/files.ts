import type { Content, ToolUse } from "../content/content.ts";
import { readDiff } from "../content/diff-text.ts";
import { fileChangesOf, isRemovedText } from "../content/file-changes.ts";
import { filesReadBy } from "../content/file-reads.ts";
import { actionOf, filesOf } from "../content/tool-action.ts";
import { identifiersIn } from "../coverage/identifiers.ts";
import { isRealName } from "../coverage/real-name.ts";
import { groupBy } from "../edits/lists.ts";
import { hasFailed, isPatch } from "./failures.ts";
import { FileHistory, type FileState, type NameChange } from "./file-history.ts";

/** The text of the result of each tool use, in order. */
export type ResultTexts = ReadonlyMap<ToolUse, string>;

/** A file with what happened to it, in decreasing detail. */
interface FileItem {
  readonly path: string;
  readonly text: string;
  readonly shortText: string;
}

/** The files of a conversation, the latest first. */
interface WorkFiles {
  /** Changed files with their changes. */
  readonly changed: readonly FileItem[];
  readonly deleted: readonly FileItem[];
  /** Other files that were read. */
  readonly read: readonly FileItem[];
}

/** Returns the files that were changed or read, as they are at the end: under their latest names. A change that failed does not count. */
export function filesIn(contents: readonly Content[], results: ResultTexts): WorkFiles {
  const nameOf = fullNames(contents);
  const argumentsOf = groupBy(
    contents.filter(({ level }) => level === "parameters"),
    ({ use }) => use,
  );
  const history = new FileHistory();
  for (const use of usesIn(contents)) {
    const result = results.get(use) ?? "";
    const files = isUndone(use, result) ? [] : fileChangesOf(use);
    const hasNames = files.length === 1 && files.every(({ path }) => !PROSE.test(path));
    const names = hasNames ? namesIn(argumentsOf.get(use) ?? []) : NO_NAMES;
    for (const { path, kind, to = path } of files) history.change({ path: nameOf(path), kind, to: nameOf(to) }, names);
    if (!hasFailed(use, result) && !MISSING.test(result)) history.read(filesReadBy(use).map(nameOf));
    history.see(filesOf(use.input).map(({ path }) => nameOf(path)));
  }
  const changes = history.changes();
  return {
    changed: changes.filter(([, state]) => !state.isDeleted).map(([path, state]) => itemOf(path, state)),
    deleted: changes.filter(([, state]) => state.isDeleted).map(([path]) => plainItem(path)),
    read: history.readPaths().map(plainItem),
  };
}

function plainItem(path: string): FileItem {
  return { path, text: path, shortText: path };
}

const NO_NAMES: NameChange = { added: [], removed: new Set() };
const MISSING = /No such file or directory/;

function itemOf(path: string, state: FileState): FileItem {
  const what = describe(path, state);
  const names = state.names.slice(0, MAX_NAMES);
  const detail = names.length === 0 ? what : `${what}: ${names.join(", ")}`;
  return { path, text: `${path} (${detail})`, shortText: `${path} (${what})` };
}

/** Returns a function that gives a file one name: the longest path in the conversation that ends with the given one. */
export function fullNames(contents: readonly Content[]): (path: string) => string {
  const paths = new Set(
    usesIn(contents).flatMap((use) => [
      ...filesOf(use.input).map(({ path }) => path),
      ...fileChangesOf(use).flatMap(({ path, to }) => (to === undefined ? [path] : [path, to])),
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

/** Whether a tool use changed nothing. A shell command that ran and failed may have changed its files before. */
export function isUndone(use: ToolUse, result: string): boolean {
  const isPlainCommand = actionOf(use) === "command" && !isPatch(use);
  return isPlainCommand ? use.isError && !EXIT_CODE.test(result) : hasFailed(use, result);
}

/** Begins the result of a command that ran; that of a command that was rejected has none. */
const EXIT_CODE = /^\W*(?:(?:command|process) )?(?:exited with |exit )(?:code|status)?:? ?\d/i;

function describe(path: string, { isNew, edits, movedFrom }: FileState): string {
  const edited = edits === 1 ? "edited" : `edited ${edits} times`;
  const moved = isNew || movedFrom === undefined ? [] : [`moved from ${oldPlace(path, movedFrom)}`];
  return [...(isNew ? ["created"] : []), ...moved, ...(edits > 0 ? [edited] : [])].join(", ");
}

/** Returns the folder that a file was in if it kept its name, else its old path from the folder that both paths are in. */
function oldPlace(path: string, from: string): string {
  const isRenamed = lastPart(path) !== lastPart(from);
  return isRenamed ? from.slice(sharedFolder(path, from).length) : (/[^/]*\/(?=[^/]*$)/.exec(from)?.[0] ?? "./");
}

/** Returns the start of two paths up to the last folder that both are in. */
export function sharedFolder(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.slice(0, a.lastIndexOf("/", at - 1) + 1);
}

/** Names that are listed for a changed file, and those that one change adds. */
const MAX_NAMES = 4;
const PROSE = /\.(?:md|mdx|rst|txt)$/i;
const DEFINED =
  /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|const|let|var)\s+\*?([A-Za-z_$][\w$]{3,60})/g;

/** Returns the names that a change adds: those that it defines, or else those that it mentions. */
function namesIn(parts: readonly Content[]): NameChange {
  const change = changedText(parts);
  const [text, removed] = [change.added.join("\n"), change.removed.join("\n")];
  const [after, before] = [wordsIn(text), wordsIn(removed)];
  const isNew = (name: string) => !before.has(name) && !name.includes("/");
  const defined = [...text.matchAll(DEFINED)].map(([, name = ""]) => name).filter(isNew);
  const mentioned = namedIn(text).filter(
    (name) => isNew(name) && /^[A-Za-z_]/.test(name) && isRealName(name, () => false),
  );
  const names = defined.length > 0 ? defined : mentioned;
  return {
    added: [...new Set(names)].slice(0, MAX_NAMES),
    removed: new Set([...before].filter((word) => !after.has(word))),
  };
}

function namedIn(text: string): string[] {
  return identifiersIn(text).map((name) => name.replace(/^(?:this|self)\./, ""));
}

/** Returns the words of a text, and its names of several words. */
function wordsIn(text: string): Set<string> {
  return new Set([...(text.match(/[\w$]+/g) ?? []), ...namedIn(text)]);
}

/** Returns the texts that the arguments of one tool use add to its file, and those that they remove. */
export function changedText(parts: readonly Content[]): { readonly added: string[]; readonly removed: string[] } {
  const removed: string[] = [];
  const added: string[] = [];
  const use = parts[0]?.use;
  const paths = new Set(filesOf(use?.input).map(({ path }) => path));
  if (use === undefined) return { added, removed };
  for (const { text, at } of parts) {
    if (isRemovedText({ at })) removed.push(text);
    else if (!paths.has(text)) addLines(actionOf(use) === "command" ? hereDocument(text) : text, { added, removed });
  }
  return { added, removed };
}

/** Returns the text of a here document in a shell command: all lines between the first one and the closing word. */
function hereDocument(command: string): string {
  return /<<-?[ \t]?['"]?(\w{1,40})['"]?[^\n]*\n([\s\S]*?)(?:\n\1\b|$)/.exec(command)?.[2] ?? "";
}

/** Adds both sides of a patch or a diff; of any other text, all lines are added. */
function addLines(text: string, { added, removed }: { added: string[]; removed: string[] }): void {
  const diff = readDiff(text);
  if (diff === undefined) added.push(text);
  else {
    for (const line of diff.added) added.push(line);
    for (const line of diff.removed) removed.push(line);
  }
}

/** Returns the text of the result of each tool use. */
export function resultsIn(contents: readonly Content[]): ResultTexts {
  const parts = groupBy(
    contents.flatMap(({ level, use, text }) => (level === "result" && use !== undefined ? [{ use, text }] : [])),
    ({ use }) => use,
  );
  return new Map([...parts].map(([use, texts]) => [use, texts.map(({ text }) => text).join("\n")]));
}

export function usesIn(contents: readonly Content[]): ToolUse[] {
  return [...new Set(contents.flatMap(({ use }) => use ?? []))];
}
