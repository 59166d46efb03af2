import type { TokenCounter } from "@longhaul/models";
import type { Content, ToolUse } from "../content/content.ts";
import { simpleCommands } from "../content/shell-words.ts";
import { actionOf, filesOf } from "../content/tool-action.ts";
import { groupBy } from "../edits/lists.ts";
import { shortCommand } from "../references/mark.ts";
import { BEFORE_CHANGES, changesFiles, lastChecks, outcomeOf } from "./checks.ts";
import { type Commit, commitsIn } from "./commits.ts";
import { openTodos } from "./fact.ts";
import { failureLine, hasFailed, isLook, kindOfUse, plainCommand } from "./failures.ts";
import { filesIn, type ResultTexts, resultsIn, sharedFolder } from "./files.ts";
import { findingsIn, withoutEmphasis } from "./findings.ts";
import { isCovered, significantWords } from "./sentences.ts";

/** The contents of a conversation, the text of its condensed form, and the size of the facts. */
export interface WorkRequest {
  readonly contents: readonly Content[];
  /** All text that is still sent. */
  readonly keptText: string;
  /** Kinds of lines to leave out. @default none */
  readonly omits?: readonly SectionKind[];
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/**
 * Returns lines about the state of the work that every condensation keeps: the open to-dos, the commits, the deleted and the changed files,
 * the last checks, the other files that were read, the latest failure, and what the assistant found out. To-dos, failures and findings
 * that are still in the text are not repeated. Stays within a token limit.
 */
export function workFacts({ contents, keptText, omits = [], maxTokens, counter }: WorkRequest): string[] {
  let left = maxTokens;
  const lines: string[] = [];
  for (const { share, kind, ...section } of sectionsIn(contents, keptText)) {
    if (omits.includes(kind)) continue;
    const within = (tokens: number) => lineWithin(section, { maxTokens: Math.floor(tokens), counter });
    const line = within(left * share) ?? within(left);
    if (line === undefined) continue;
    lines.push(line);
    left -= counter.countText(`\n${line}`);
  }
  return lines;
}

/** Open to-dos, a list of files or checks, or what happened last. */
type SectionKind = "todos" | "list" | "latest";

/** A line of facts: the items follow the head, the most important first. */
interface Section {
  readonly head: string;
  readonly items: readonly Item[];
  /** Largest share of the tokens that are left, unless not even one item fits into it. */
  readonly share: number;
  /** Largest number of items. */
  readonly most?: number;
  readonly kind: SectionKind;
}

/** A checklist in a document can be very long. */
const MOST_TODOS = 20;
const MOST_COMMITS = 12;

/** An item of a line. Files can be written shorter and by folder if there is little room. */
interface Item {
  readonly text: string;
  readonly shortText?: string;
  readonly path?: string;
}

function sectionsIn(contents: readonly Content[], keptText: string): Section[] {
  const todos = openTodos(contents).map(({ item }) => item);
  const isMissing = (text: string) => !keptText.includes(text);
  const results = resultsIn(contents);
  const checks = lastChecks(results);
  const failure = latestFailure(results, new Set(checks.map(({ use }) => use)));
  const { changed, deleted, read } = filesIn(contents, results);
  const commits = commitsIn(results);
  const plainText = withoutEmphasis(keptText);
  const findings = withoutRepeats(
    findingsIn(contents, (use) => outcomeOf(use, results.get(use) ?? "")).filter((text) => !plainText.includes(text)),
  );
  const sections: readonly Section[] = [
    {
      head: "Open to-dos:",
      items: todos.some(isMissing) ? todos.map(asItem) : [],
      share: 0.5,
      most: MOST_TODOS,
      kind: "todos",
    },
    {
      head: "Commits, latest first:",
      items: commits.some(({ hash, fate }) => fate !== undefined || isMissing(hash)) ? commits.map(commitItem) : [],
      share: 0.25,
      most: MOST_COMMITS,
      kind: "list",
    },
    { head: "Files deleted:", items: deleted, share: 0.25, kind: "list" },
    { head: "Files changed:", items: changed, share: 0.5, kind: "list" },
    {
      head: "Last checks:",
      items: checks.some(({ line }) => line === "" || isMissing(line)) ? checks : [],
      share: 0.35,
      kind: "list",
    },
    { head: changed.length === 0 ? "Files read:" : "Other files read:", items: read, share: 0.35, kind: "list" },
    {
      head: "Failed last:",
      items: failure !== undefined && isMissing(failure.line) ? [failure] : [],
      share: 1,
      kind: "latest",
    },
    { head: "Findings, latest first:", items: findings.map(asItem), share: 1, kind: "latest" },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

function commitItem({ hash, subject, fate }: Commit): Item {
  return asItem(`${hash}${fate === undefined ? "" : ` (${fate})`} ${subject}`);
}

/** Leaves out sentences that say the same as an earlier one. */
function withoutRepeats(sentences: readonly string[]): string[] {
  const kept: { readonly sentence: string; readonly words: ReadonlySet<string> }[] = [];
  for (const sentence of sentences) {
    if (kept.some(({ words }) => isCovered(sentence, words))) continue;
    kept.push({ sentence, words: significantWords(sentence) });
  }
  return kept.map(({ sentence }) => sentence);
}

function asItem(text: string): Item {
  return { text: clip(text.replace(/\.$/, "")) };
}

interface Room {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

/** Joins as many items as fit, or returns undefined if not even one does. Files are written shorter if they do not all fit otherwise. */
function lineWithin(
  { head, items, most = items.length }: Omit<Section, "share" | "kind">,
  { maxTokens, counter }: Room,
): string | undefined {
  const fits = (line: string) => counter.countText(`\n${line}`) <= maxTokens;
  for (let count = Math.min(most, items.length); count > 0; count = Math.min(count - 1, Math.floor(count * SHRINK))) {
    const others = items.length - count;
    const more = others === 0 ? "" : `; and ${others} more`;
    const line = writings(items.slice(0, count))
      .map(
        ({ root, texts }) => `${root === "" ? head : `${head.slice(0, -1)} in ${root}:`} ${texts.join("; ")}${more}.`,
      )
      .find(fits);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Factor for the number of items in each attempt to fit a line. */
const SHRINK = 0.8;

interface Writing {
  /** The folder that all paths without a root are in. */
  readonly root: string;
  readonly texts: readonly string[];
}

/** Returns the ways to write items, the most detailed first. */
function writings(items: readonly Item[]): Writing[] {
  const root = commonFolder(items.flatMap(({ path }) => path ?? []));
  const within = items.map(({ text, shortText = text, path }) => {
    const cut = path?.startsWith(root) === true ? root.length : 0;
    return { text: text.slice(cut), shortText: shortText.slice(cut), path: path?.slice(cut) };
  });
  return [
    { root, texts: within.map(({ text }) => text) },
    { root, texts: within.map(({ shortText }) => shortText) },
    { root, texts: byFolder(within) },
  ];
}

/** Returns the folder that most files with an absolute path are in, or an empty text if that would save nothing. */
function commonFolder(paths: readonly string[]): string {
  const absolute = paths.filter((path) => path.startsWith("/"));
  const folders = absolute.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
  const root = folders.reduce((common, folder) => sharedFolder(common, folder), folders[0] ?? "");
  return absolute.length < 2 || root.length < 2 ? "" : root;
}

/** Writes the files of a folder as `src/{a.ts, b.ts (edited); c.ts (created)}`. */
function byFolder(items: readonly { readonly shortText: string; readonly path: string | undefined }[]): string[] {
  const folders = groupBy(items, ({ shortText, path = "" }) => path.slice(0, path.lastIndexOf("/") + 1) || shortText);
  return [...folders].flatMap(([folder, members]) => {
    if (members.length === 1 || !folder.endsWith("/")) return members.map(({ shortText }) => shortText);
    const byChange = groupBy(members, ({ shortText, path = "" }) => shortText.slice(path.length));
    const groups = [...byChange].map(
      ([change, files]) => files.map(({ path = "" }) => path.slice(folder.length)).join(", ") + change,
    );
    return [`${folder}{${groups.join("; ")}}`];
  });
}

const MAX_ITEM_CHARACTERS = 160;

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= MAX_ITEM_CHARACTERS ? line : `${characters.slice(0, MAX_ITEM_CHARACTERS).join("")}...`;
}

/** The most informative line of a failed result, and its description. */
interface Failure {
  readonly line: string;
  readonly text: string;
}

/**
 * Returns the latest failed tool use, unless one of the same kind succeeded afterwards, and says whether files were changed after it. Reads,
 * searches and listed checks do not count.
 */
function latestFailure(results: ResultTexts, checks: ReadonlySet<ToolUse>): Failure | undefined {
  const succeeded = new Set<string>();
  let isOld = false;
  for (const [use, text] of [...results].reverse()) {
    if (use.callMessage === -1 || isLook(use)) continue;
    const key = kindOfUse(use);
    if (!hasFailed(use, text)) succeeded.add(key);
    else if (!succeeded.has(key)) return checks.has(use) ? undefined : describeFailure(use, text, isOld);
    isOld ||= changesFiles(use, text);
  }
  return undefined;
}

function describeFailure(use: ToolUse, text: string, isOld: boolean): Failure {
  const line = failureLine(text);
  const about = actionOf(use) === "command" ? shortCommands(use) : (filesOf(use.input)[0]?.path ?? "");
  const call = [use.name, about, ...(isOld ? [`(${BEFORE_CHANGES})`] : [])].filter((word) => word !== "").join(" ");
  return { line, text: line === "" ? call : `${call}: ${clip(line.replace(/\.$/, ""))}` };
}

const MOST_COMMANDS = 3;
const SILENT = /^(?:cd|echo|printf|set|export|sleep)(?= |$)/;

/** Names the commands of a shell command: any of them may have failed. */
function shortCommands(use: ToolUse): string {
  const command = plainCommand(use);
  const all = simpleCommands(command).map(({ words }) => words.join(" "));
  const names = all.filter((words) => !SILENT.test(words)).map(shortCommand);
  return [...new Set(names)].slice(0, MOST_COMMANDS).join("; ") || shortCommand(command);
}
