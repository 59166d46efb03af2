import type { TokenCounter } from "@longhaul/models";
import type { Content, ToolUse } from "../content/content.ts";
import { type FileChange, fileChangesOf } from "../content/file-changes.ts";
import { actionOf, filesOf, toolSubject } from "../content/tool-action.ts";
import { groupBy } from "../edits/lists.ts";
import { shortCommand } from "../references/mark.ts";
import { commandOf, lastChecks } from "./checks.ts";
import { openTodos } from "./fact.ts";
import { failureLine, hasFailed, isLook, isPatch } from "./failures.ts";
import { findingsIn } from "./findings.ts";

/** The contents of a conversation, the text of its condensed form, and the size of the facts. */
export interface WorkRequest {
  readonly contents: readonly Content[];
  /** All text that is still sent. */
  readonly keptText: string;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/**
 * Returns lines about the state of the work that every condensation keeps: the open to-dos, the changed files with their changes, the last
 * checks, the other files that were read, the latest failure, and what the assistant found out. To-dos, failures and findings that are still in the text are
 * not repeated. Stays within a token limit.
 */
export function workFacts({ contents, keptText, maxTokens, counter }: WorkRequest): string[] {
  let left = maxTokens;
  const lines: string[] = [];
  for (const { head, items, share } of sectionsIn(contents, keptText)) {
    const within = (tokens: number) => lineWithin(head, items, { maxTokens: Math.floor(tokens), counter });
    const line = within(left * share) ?? within(left);
    if (line === undefined) continue;
    lines.push(line);
    left -= counter.countText(`\n${line}`);
  }
  return lines;
}

/** A line of facts: the items follow the head, the most important first. */
interface Section {
  readonly head: string;
  readonly items: readonly Item[];
  /** Largest share of the tokens that are left, unless not even one item fits into it. */
  readonly share: number;
}

/** An item of a line. Files of one folder can be written together if there is little room. */
interface Item {
  readonly text: string;
  readonly path?: string;
}

function sectionsIn(contents: readonly Content[], keptText: string): Section[] {
  const todos = openTodos(contents).map(({ item }) => item);
  const isMissing = (text: string) => !keptText.includes(text);
  const results = resultsIn(contents);
  const checks = lastChecks(results);
  const failure = latestFailure(results, new Set(checks.map(({ use }) => use)));
  const changed = changedFiles(contents, results);
  const read = readFiles(contents, results, new Set(changed.map(({ path }) => path)));
  const findings = findingsIn(contents).filter(isMissing);
  return [
    { head: "Open to-dos:", items: todos.some(isMissing) ? todos.map(asItem) : [], share: 0.5 },
    { head: "Files changed:", items: changed, share: 0.5 },
    { head: "Last checks:", items: checks.filter(({ line }) => line === "" || isMissing(line)), share: 0.35 },
    { head: changed.length === 0 ? "Files read:" : "Other files read:", items: read, share: 0.35 },
    { head: "Failed last:", items: failure !== undefined && isMissing(failure.line) ? [failure] : [], share: 1 },
    { head: "Findings, latest first:", items: findings.map(asItem), share: 1 },
  ].filter(({ items }) => items.length > 0);
}

function asItem(text: string): Item {
  return { text: clip(text.replace(/\.$/, "")) };
}

interface Room {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** Joins as many items as fit, or returns undefined if not even one does. Files are written by folder if they do not all fit otherwise. */
function lineWithin(head: string, items: readonly Item[], { maxTokens, counter }: Room): string | undefined {
  const fits = (line: string) => counter.countText(`\n${line}`) <= maxTokens;
  for (let count = items.length; count > 0; count = Math.min(count - 1, Math.floor(count * SHRINK))) {
    const others = items.length - count;
    const more = others === 0 ? "" : `; and ${others} more`;
    const shown = items.slice(0, count);
    const line = [shown.map(({ text }) => text), byFolder(shown)]
      .map((texts) => `${head} ${texts.join("; ")}${more}.`)
      .find(fits);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Factor for the number of items in each attempt to fit a line. */
const SHRINK = 0.8;

/** Writes the files of a folder as `src/{a.ts (edited), b.ts (created)}`. */
function byFolder(items: readonly Item[]): string[] {
  const folders = groupBy(items, ({ text, path = "" }) => path.slice(0, path.lastIndexOf("/") + 1) || text);
  return [...folders].flatMap(([folder, members]) => {
    const texts = members.map(({ text }) => text);
    if (members.length === 1 || !folder.endsWith("/")) return texts;
    return [`${folder}{${texts.map((text) => text.slice(folder.length)).join(", ")}}`];
  });
}

const MAX_ITEM_CHARACTERS = 160;

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= MAX_ITEM_CHARACTERS ? line : `${characters.slice(0, MAX_ITEM_CHARACTERS).join("")}...`;
}

interface FileItem extends Item {
  readonly path: string;
}

/** Returns the changed files with their changes, the latest first and deleted ones last. A change that failed does not count. */
function changedFiles(contents: readonly Content[], results: ResultTexts): FileItem[] {
  const seen = new Set<string>();
  const changes = new Map<string, FileHistory>();
  for (const use of usesIn(contents)) {
    const files = isUndone(use, results.get(use) ?? "") ? [] : fileChangesOf(use);
    for (const change of files) addChange(changes, change, seen.has(change.path));
    for (const { path } of [...files, ...filesOf(use.input)]) seen.add(path);
  }
  return [...changes]
    .reverse()
    .sort(([, a], [, b]) => Number(a.isDeleted) - Number(b.isDeleted))
    .map(([path, history]) => ({ path, text: `${path} (${describe(history)})` }));
}

/** Whether a tool use changed nothing. A shell command that fails may have written its files before. */
function isUndone(use: ToolUse, result: string): boolean {
  const isPlainCommand = actionOf(use) === "command" && !isPatch(use);
  return isPlainCommand ? use.isError : hasFailed(use, result);
}

/** Returns the files that were read and not changed, the latest first. */
function readFiles(contents: readonly Content[], results: ResultTexts, changed: ReadonlySet<string>): FileItem[] {
  const paths = new Set<string>();
  for (const use of usesIn(contents).reverse()) {
    if (hasFailed(use, results.get(use) ?? "")) continue;
    for (const path of filesReadBy(use)) if (!changed.has(path)) paths.add(path);
  }
  return [...paths].map((path) => ({ path, text: path }));
}

/** Programs that print a file, with their options, and the file. */
const PRINTING =
  /(?:^|[;&|(\n'"])[ \t]{0,9}(?:cat|head|tail|nl|less|bat|sed -n)(?:[ \t]{1,9}(?:-{1,2}[\w=-]{1,30}|\d{1,9}|['"]?[\d,$]{1,20}p['"]?)){0,4}[ \t]{1,9}([\w@~./+-]{1,300})/g;

/** Programs that search a file, with their options and the pattern, and the file. */
const SEARCHING =
  /(?:^|[;&|(\n])[ \t]{0,9}(?:rg|grep)(?:[ \t]{1,9}-{1,2}[\w=-]{1,30}){0,4}[ \t]{1,9}(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"'|;&-]{1,100})[ \t]{1,9}([\w@~./+-]{0,300}\.\w{1,10})(?![\w/])/g;

function filesReadBy(use: ToolUse): string[] {
  const action = actionOf(use);
  if (action === "read") return filesOf(use.input).map(({ path }) => path);
  if (action !== "command") return [];
  const command = commandOf(use);
  const found = [PRINTING, SEARCHING].flatMap((pattern) => [...command.matchAll(pattern)]);
  return found.map(([, path = ""]) => path).filter((path) => /[./]/.test(path) && !path.startsWith("/dev/"));
}

interface FileHistory {
  readonly isNew: boolean;
  readonly edits: number;
  readonly isDeleted: boolean;
}

/** Adds a change; the file moves to the end of the map. A file that was only deleted counts if it was changed before. */
function addChange(changes: Map<string, FileHistory>, { path, kind }: FileChange, isKnown: boolean): void {
  const before = changes.get(path);
  changes.delete(path);
  if (kind === "delete") changes.set(path, { isNew: false, edits: 0, isDeleted: true });
  else if (before !== undefined && !before.isDeleted) changes.set(path, { ...before, edits: before.edits + 1 });
  else
    changes.set(path, {
      isNew: kind === "write" && !isKnown,
      edits: kind === "edit" || isKnown ? 1 : 0,
      isDeleted: false,
    });
}

function describe({ isNew, edits, isDeleted }: FileHistory): string {
  if (isDeleted) return "deleted";
  const edited = edits === 1 ? "edited" : `edited ${edits} times`;
  return [...(isNew ? ["created"] : []), ...(edits > 0 ? [edited] : [])].join(", ");
}

function usesIn(contents: readonly Content[]): ToolUse[] {
  return [...new Set(contents.flatMap(({ use }) => use ?? []))];
}

/** The text of the result of each tool use, in order. */
type ResultTexts = ReadonlyMap<ToolUse, string>;

function resultsIn(contents: readonly Content[]): ResultTexts {
  const parts = groupBy(
    contents.flatMap(({ level, use, text }) => (level === "result" && use !== undefined ? [{ use, text }] : [])),
    ({ use }) => use,
  );
  return new Map([...parts].map(([use, texts]) => [use, texts.map(({ text }) => text).join("\n")]));
}

/** The most informative line of a failed result, and its description. */
interface Failure {
  readonly line: string;
  readonly text: string;
}

/** Returns the latest failed tool use, unless one of the same kind succeeded afterwards. Reads, searches and listed checks do not count. */
function latestFailure(results: ResultTexts, checks: ReadonlySet<ToolUse>): Failure | undefined {
  const succeeded = new Set<string>();
  for (const [use, text] of [...results].reverse()) {
    if (use.callMessage === -1 || isLook(use)) continue;
    const key = kindOf(use);
    if (!hasFailed(use, text)) succeeded.add(key);
    else if (!succeeded.has(key)) return checks.has(use) ? undefined : describeFailure(use, text);
  }
  return undefined;
}

/** A repaired call is rarely the same one: another test file, another argument. It has the same program and subcommand, or the same file. */
function kindOf(use: ToolUse): string {
  if (actionOf(use) !== "command") return filesOf(use.input)[0]?.path ?? `${use.name} ${toolSubject(use) ?? ""}`;
  return `${use.name} ${shortCommand(commandOf(use)).split(" ").slice(0, 2).join(" ")}`;
}

function describeFailure(use: ToolUse, text: string): Failure {
  const line = failureLine(text);
  const about =
    actionOf(use) === "command" ? shortCommand(toolSubject(use) ?? "") : (filesOf(use.input)[0]?.path ?? "");
  const call = [use.name, about].filter((word) => word !== "").join(" ");
  return { line, text: line === "" ? call : `${call}: ${clip(line)}` };
}
