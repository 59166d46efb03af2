import type { TokenCounter } from "@longhaul/models";
import type { Content, ToolUse } from "../content/content.ts";
import { type FileChange, fileChangesOf } from "../content/file-changes.ts";
import { actionOf, filesOf, toolSubject } from "../content/tool-action.ts";
import { groupBy } from "../edits/lists.ts";
import { shortCommand } from "../references/marker.ts";
import { openTodos } from "./fact.ts";

/** The contents of a conversation, the text of its condensed form, and the size of the facts. */
export interface WorkRequest {
  readonly contents: readonly Content[];
  /** All text that is still sent. */
  readonly keptText: string;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/**
 * Returns lines about the state of the work that every condensation keeps: the open to-dos, the changed files with their changes,
 * and the latest failure. To-dos and failures that are still in the text are not repeated. Stays within a token limit.
 */
export function workFacts({ contents, keptText, maxTokens, counter }: WorkRequest): string[] {
  let left = maxTokens;
  const lines: string[] = [];
  for (const { head, items } of sectionsIn(contents, keptText)) {
    const line = lineWithin(head, items, { maxTokens: left, counter });
    if (line === undefined) continue;
    lines.push(line);
    left -= counter.countText(`\n${line}`);
  }
  return lines;
}

/** A line of facts: the items follow the head, the most important first. */
interface Section {
  readonly head: string;
  readonly items: readonly string[];
}

function sectionsIn(contents: readonly Content[], keptText: string): Section[] {
  const todos = openTodos(contents).map(({ item }) => item);
  const isMissing = (text: string) => !keptText.includes(text);
  const failure = latestFailure(contents);
  return [
    { head: "Open to-dos:", items: todos.some(isMissing) ? todos.map((item) => clip(item)) : [] },
    { head: "Files changed:", items: changedFiles(contents) },
    { head: "Failed last:", items: failure !== undefined && isMissing(failure.line) ? [failure.text] : [] },
  ].filter(({ items }) => items.length > 0);
}

interface Room {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** Joins as many items as fit, or returns undefined if not even one does. */
function lineWithin(head: string, items: readonly string[], { maxTokens, counter }: Room): string | undefined {
  for (let count = items.length; count > 0; count = Math.min(count - 1, Math.floor(count * SHRINK))) {
    const others = items.length - count;
    const more = others === 0 ? "" : `; and ${others} more`;
    const line = `${head} ${items.slice(0, count).join("; ")}${more}.`;
    if (counter.countText(`\n${line}`) <= maxTokens) return line;
  }
  return undefined;
}

/** Factor for the number of items in each attempt to fit a line. */
const SHRINK = 0.8;

const MAX_ITEM_CHARACTERS = 160;

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= MAX_ITEM_CHARACTERS ? line : `${characters.slice(0, MAX_ITEM_CHARACTERS).join("")}...`;
}

/** Returns the changed files with their changes, the latest first. */
function changedFiles(contents: readonly Content[]): string[] {
  const seen = new Set<string>();
  const changes = new Map<string, FileHistory>();
  for (const use of usesIn(contents)) {
    const files = use.isError ? [] : fileChangesOf(use);
    for (const change of files) addChange(changes, change, seen.has(change.path));
    for (const { path } of [...files, ...filesOf(use.input)]) seen.add(path);
  }
  return [...changes].reverse().map(([path, history]) => `${path} (${describe(history)})`);
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

/** The most informative line of a failed result, and its description. */
interface Failure {
  readonly line: string;
  readonly text: string;
}

/** Returns the latest failed tool use, unless one of the same kind succeeded afterwards. Failed reads and searches do not count. */
function latestFailure(contents: readonly Content[]): Failure | undefined {
  const results = groupBy(
    contents.filter(({ level, use }) => level === "result" && use !== undefined),
    ({ use }) => use,
  );
  const succeeded = new Set<string>();
  for (const [use, parts] of [...results].reverse()) {
    if (use === undefined || use.callMessage === -1 || LOOKING.has(actionOf(use))) continue;
    const text = parts.map((part) => part.text).join("\n");
    const key = kindOf(use);
    if (!hasFailed(use, text)) succeeded.add(key);
    else if (!succeeded.has(key)) return describeFailure(use, text);
  }
  return undefined;
}

const LOOKING: ReadonlySet<string> = new Set(["read", "list", "search"]);

/** A repaired call is rarely the same one: another test file, another argument. It has the same program and subcommand, or the same file. */
function kindOf(use: ToolUse): string {
  if (actionOf(use) !== "command") return filesOf(use.input)[0]?.path ?? `${use.name} ${toolSubject(use) ?? ""}`;
  const command = (toolSubject(use) ?? "").replace(/^(?:bash|sh|zsh) -l?c +['"]?/, "");
  return `${use.name} ${shortCommand(command).split(" ").slice(0, 2).join(" ")}`;
}

/** Test runners say so on a line of their own: the exit code of a pipe is that of its last program. */
const FAILED_OUTPUT =
  /\b(?:exit(?:ed with)? (?:code|status):? [1-9]|command failed|Traceback \(most recent call last\))|^(?:--- )?FAIL\b|^=+ .*\b[1-9]\d* failed\b/im;

/** Tools report an exit code in the first or last lines. */
const ENDS_CHARACTERS = { start: 300, end: 2_000 } as const;

function hasFailed(use: ToolUse, text: string): boolean {
  if (use.isError || actionOf(use) !== "command") return use.isError;
  return (
    FAILED_OUTPUT.test(text.slice(0, ENDS_CHARACTERS.start)) || FAILED_OUTPUT.test(text.slice(-ENDS_CHARACTERS.end))
  );
}

const INFORMATIVE = /error|fail|exception|cannot|can't|not found|denied|undefined|expected/i;

function describeFailure(use: ToolUse, text: string): Failure {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const line = lines.findLast((entry) => INFORMATIVE.test(entry)) ?? lines.at(-1) ?? "";
  const about =
    actionOf(use) === "command" ? shortCommand(toolSubject(use) ?? "") : (filesOf(use.input)[0]?.path ?? "");
  const call = [use.name, about].filter((word) => word !== "").join(" ");
  return { line, text: line === "" ? call : `${call}: ${clip(line)}` };
}
