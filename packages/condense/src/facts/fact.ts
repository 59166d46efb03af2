import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation/advanced";
import type { Content, ToolUse } from "../content/content.ts";
import { fileChangesOf, isRemovedText } from "../content/file-changes.ts";
import { withoutTerminalCodes } from "../content/plain-output.ts";
import { actionOf, filesOf, isListTool } from "../content/tool-action.ts";
import { hasFailed, isLook, kindOfUse } from "./failures.ts";
import { isIntent, withoutNextSteps } from "./findings.ts";
import { isConstraint, sentencesOf, type TermKind, termsIn } from "./sentences.ts";

/** Something that a summary should keep, with a line that contains it. */
export interface Fact {
  /** A term is a word; a constraint or a to-do is a sentence. */
  readonly kind: "term" | "sentence";
  readonly words: string;
  readonly line: string;
  /** Importance, from its kind, its author, its frequency and its recency. */
  readonly weight: number;
  /** Position of the line in the order of texts. */
  readonly order: number;
}

/** Content that a summary replaces. */
export interface SummarizedContent {
  readonly contents: readonly Content[];
  /** The summary before it. */
  readonly previous: string | undefined;
  /** Its open to-dos. */
  readonly todos: readonly Todo[];
}

/**
 * Collects the facts in the content that a summary replaces: the user's constraints, open to-dos, and terms in text, in tool calls or in
 * errors. Terms only in tool results do not count: the important ones are mentioned again.
 */
export function factsIn({ contents, previous, todos }: SummarizedContent): Fact[] {
  const terms = new Map<string, Sighting>();
  const constraints = new Map<string, Fact>();
  const sentences = sentencesIn(contents, previous);
  for (const [order, { source, sentence, words = sentence }] of sentences.entries()) {
    for (const { word, kind } of termsIn(words)) {
      if (COUNTED_KINDS[source].has(kind)) recordSighting(terms, { word, kind, source, sentence, order });
    }
    if ((source !== "user" && source !== "pasted") || !isConstraint(sentence)) continue;
    constraints.set(sentence, { kind: "sentence", words: sentence, line: sentence, weight: CONSTRAINT_WEIGHT, order });
  }
  return [
    ...constraints.values(),
    ...todos.map((todo) => openFact(todo, sentences.length)),
    ...[...terms.values()].map((sighting) => weigh(sighting, sentences.length)),
  ];
}

function openFact({ item }: Todo, order: number): Fact {
  return { kind: "sentence", words: item, line: `[ ] ${item}`, weight: TODO_WEIGHT, order };
}

const CONSTRAINT_WEIGHT = 20;
const TODO_WEIGHT = 12;
const TERM_WEIGHT: Readonly<Record<TermKind, number>> = table({ url: 4, path: 3, error: 3, identifier: 1, number: 1 });

/** Weight of a fact by its source. */
const SOURCE_WEIGHT = table({ user: 3, pasted: 1, assistant: 1, call: 0.9, failure: 0.8 } as const);
type Source = keyof typeof SOURCE_WEIGHT;

/** Kinds of terms that count by source: commands and errors are full of unimportant numbers. */
const COUNTED_KINDS: Readonly<Record<Source, ReadonlySet<TermKind>>> = table({
  user: new Set(["url", "path", "error", "identifier", "number"]),
  pasted: new Set(["url", "path", "error", "identifier", "number"]),
  assistant: new Set(["url", "path", "error", "identifier", "number"]),
  call: new Set(["url", "path"]),
  failure: new Set(["path", "error"]),
});

interface SourcedSentence {
  readonly source: Source;
  readonly sentence: string;
  /** The part of the sentence that may contain facts. @default all of it */
  readonly words?: string;
}

function sentencesIn(contents: readonly Content[], previous: string | undefined): SourcedSentence[] {
  const before = sentencesOf(previous ?? "").map((sentence) => ({ source: "assistant", sentence }) as const);
  const repaired = repairedIn(contents);
  const stated = contents.filter(({ level, use }) => level !== "result" || use === undefined || !repaired.has(use));
  return [...before, ...stated.flatMap(sentencesInContent)];
}

/** Returns the failed tool uses that a later one of the same kind repaired. */
function repairedIn(contents: readonly Content[]): ReadonlySet<ToolUse> {
  const repaired = new Set<ToolUse>();
  const succeeded = new Set<string>();
  for (const { level, use, text } of contents.toReversed()) {
    if (level !== "result" || use === undefined) continue;
    const kind = kindOfUse(use);
    // To look at a file repairs no change to it.
    if (!hasFailed(use, text)) succeeded.add(isLook(use) ? `look ${kind}` : kind);
    else if (succeeded.has(kind) || (isLook(use) && succeeded.has(`look ${kind}`))) repaired.add(use);
  }
  return repaired;
}

/** Longer arguments are files and patches, not names. */
const MAX_ARGUMENT_CHARS = 200;

/** Longer texts of a few lines from the user are usually pasted. */
const MAX_OWN_CHARS = 3_000;

function sentencesInContent({ level, role, text, use }: Content): SourcedSentence[] {
  if (level === "parameters") {
    const words = text.trim().replace(/\s+/g, " ");
    const isName = use !== undefined && text.length <= MAX_ARGUMENT_CHARS && words !== "";
    return isName ? [{ source: "call", sentence: `${use.name}: ${words}`, words }] : [];
  }
  if (level === "result" && use?.isError !== true) return [];
  if (level === "result") return failureSentences(withoutTerminalCodes(text));
  if (role === "user") return userSentences(text);
  const said = role === "assistant" ? withoutNextSteps(text) : text;
  const sentences = sentencesOf(said).filter((sentence) => role !== "assistant" || !isIntent(sentence));
  return sentences.map((sentence) => ({ source: "assistant", sentence }));
}

function failureSentences(text: string): SourcedSentence[] {
  return sentencesOf(text).flatMap((sentence) => (NOISE.test(sentence) ? [] : [{ source: "failure", sentence }]));
}

/** In longer texts from the user, only the lines at their ends name what the user means: the others are often pasted. */
const OWN_LINES = 15;
const EDGE_LINES = 3;

/**
 * Returns the sentences of the user. Those between the ends of a long text count only as constraints, and the lines of a log that it
 * contains not at all.
 */
function userSentences(text: string): SourcedSentence[] {
  const lines = text.split("\n");
  const isLong = lines.length > OWN_LINES;
  const middle = isLong ? lines.slice(EDGE_LINES, -EDGE_LINES).filter((line) => !OUTPUT_LINE.test(line)) : [];
  const source = isLong || text.length <= MAX_OWN_CHARS ? "user" : "pasted";
  const read = (part: readonly string[], words?: string) =>
    sentencesOf(part.join("\n")).map(
      (sentence) => ({ source, sentence, ...(words === undefined ? {} : { words }) }) as const,
    );
  return [
    ...read(isLong ? lines.slice(0, EDGE_LINES) : lines),
    ...read(middle, ""),
    ...read(isLong ? lines.slice(-EDGE_LINES) : []),
  ];
}

/** Begins a line that a program wrote: with a time, a level, the name of a program, a line number, or a place in a file. */
const OUTPUT_LINE =
  /^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]|\d{1,2}:\d\d:\d\d|(?:trace|debug|info|notice|warn(?:ing)?|[Ee]rror|fatal|hint|remote|TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)[\]:!]|(?:DEBUG|INFO|WARN|ERROR|FATAL) |(?:npm|pnpm|yarn) (?:err|warn|notice|ERR|WARN)|\d+\s*[|:│→\t]|at \S.{0,200}:\d|[\w@./-]{1,200}:\d+:)/;

/** Lines of a stack trace, and of a script runner about the script that failed. */
const NOISE = /^at |^(?:npm|pnpm|yarn) err(?:or|!)/i;

interface Sighting {
  readonly word: string;
  readonly kind: TermKind;
  readonly source: Source;
  readonly sentence: string;
  readonly order: number;
  readonly count: number;
}

/** Records a term; keeps the shortest sentence of the most important source. */
function recordSighting(terms: Map<string, Sighting>, now: Omit<Sighting, "count">): void {
  const before = terms.get(now.word);
  const count = (before?.count ?? 0) + 1;
  const isBetter = before === undefined || compareSightings(now, before) > 0;
  terms.set(now.word, { ...(isBetter ? now : before), count, order: now.order });
}

function compareSightings(a: Omit<Sighting, "count">, b: Sighting): number {
  return SOURCE_WEIGHT[a.source] - SOURCE_WEIGHT[b.source] || b.sentence.length - a.sentence.length;
}

function weigh({ word, kind, source, sentence, order, count }: Sighting, length: number): Fact {
  const recency = 0.5 + order / (2 * length);
  const weight = TERM_WEIGHT[kind] * SOURCE_WEIGHT[source] * (1 + Math.log2(count)) * recency;
  return { kind: "term", words: word, line: sentence, weight, order };
}

/** An open to-do, and the latest message that mentions it. */
export interface Todo {
  readonly item: string;
  readonly message: number;
}

/**
 * Returns the open to-dos of a conversation: the latest list of a to-do tool. Without one, unchecked boxes and lines that start with
 * "to-do:" in messages and in plan files that still exist, the newest first.
 */
export function openTodos(contents: readonly Content[]): Todo[] {
  const boxes = new Map<string, Box>();
  let latest: Todo[] | undefined;
  for (const content of contents) {
    const { level, use, at } = content;
    if (use !== undefined && closesList(use)) latest = [];
    if (level === "result") continue;
    const list = level === "parameters" && use !== undefined ? listOf(use) : undefined;
    if (use === undefined || list === undefined || !(list.hasStatuses || isTodoList(use))) readBoxes(content, boxes);
    else latest = list.open.map((item) => ({ item, message: at.message }));
  }
  const unchecked = [...boxes].flatMap(([item, { isDone, message }]) => (isDone ? [] : [{ item, message }]));
  return latest ?? unchecked.sort((a, b) => b.message - a.message);
}

interface Box {
  readonly isDone: boolean;
  readonly message: number;
  /** The plan file that contains it. */
  readonly file: string | undefined;
}

/** Updates boxes by a text, by the argument of a tool that writes or edits a plan file, or by a command that deletes or moves one. */
function readBoxes({ text, use, at }: Content, boxes: Map<string, Box>): void {
  if (use === undefined) setBoxes(text, boxes, { message: at.message, file: undefined });
  if (use === undefined || use.isError) return;
  for (const { path, kind, to } of fileChangesOf(use))
    if (kind === "delete" || kind === "move") movePlan(boxes, path, to);
  const action = actionOf(use);
  const [file] = filesOf(use.input);
  if ((action !== "write" && action !== "edit") || file === undefined || !PLAN_FILE.test(file.path)) return;
  if (isRemovedText({ at })) for (const { item } of boxesIn(text)) boxes.delete(item);
  else setBoxes(text, boxes, { message: at.message, file: file.path });
}

const PLAN_FILE = /\.(?:md|mdx|txt)$/i;

function setBoxes(text: string, boxes: Map<string, Box>, where: Omit<Box, "isDone">): void {
  for (const { item, isDone } of boxesIn(text)) boxes.set(item, { isDone, ...where });
}

/** Renames a plan file, or removes its boxes if it has no new name. */
function movePlan(boxes: Map<string, Box>, path: string, to: string | undefined): void {
  for (const [item, box] of [...boxes]) {
    const isOf = box.file !== undefined && `/${box.file}`.endsWith(`/${path}`);
    if (isOf && to === undefined) boxes.delete(item);
    else if (isOf) boxes.set(item, { ...box, file: to });
  }
}

/** Returns the messages with the latest to-do list of each tool. */
export function latestLists(contents: readonly Content[]): ReadonlySet<number> {
  const messages = new Map<string, number>();
  for (const { level, use, at } of contents) {
    if (use === undefined) continue;
    if (closesList(use)) messages.delete(use.name);
    else if (level === "parameters" && isTodoList(use)) messages.set(use.name, at.message);
  }
  return new Set(messages.values());
}

/** Writes the latest list of each to-do tool as lines with boxes, and removes the earlier ones, or all if they are outdated. */
export function withLatestLists(contents: readonly Content[], areOutdated: boolean): Content[] {
  const latest = new Map<string, ToolUse>();
  for (const { use } of contents) {
    if (use === undefined) continue;
    if (closesList(use)) latest.delete(use.name);
    else if (isTodoList(use)) latest.set(use.name, use);
  }
  const written = new Set<ToolUse>();
  return contents.flatMap((content) => {
    const { use } = content;
    if (use === undefined || !isTodoList(use)) return [content];
    if (areOutdated || latest.get(use.name) !== use || written.has(use)) return [];
    written.add(use);
    return [{ ...content, text: listOf(use).boxes.join("\n") }];
  });
}

/** Whether a tool use sets a list of to-dos. */
export function isTodoList(use: ToolUse): boolean {
  return isListTool(use.name) && listOf(use).boxes.length > 0;
}

/** Whether a tool use empties its list of to-dos. The call has no text, so only its result shows that. */
export function closesList({ name, input, isError }: ToolUse): boolean {
  if (isError || !isListTool(name) || !isJsonObject(input)) return false;
  return Object.entries(input).some(([key, value]) => LIST_KEY.test(key) && isEmpty(value));
}

const LIST_KEY = /^(?:todos?|plan|tasks?|items?|steps?)$/i;

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value !== undefined && isJsonArray(value) && value.length === 0;
}

/** A list in a tool's input: objects with a status, or lines with a box. */
interface TodoList {
  readonly hasStatuses: boolean;
  /** The items as lines with boxes, without cancelled ones. */
  readonly boxes: readonly string[];
  /** The items that are not done. */
  readonly open: readonly string[];
}

/** Lists by tool use: every line of a call asks for its list. */
const knownLists = new WeakMap<ToolUse, TodoList>();

function listOf(use: ToolUse): TodoList {
  const found = knownLists.get(use) ?? readList(use);
  knownLists.set(use, found);
  return found;
}

function readList({ input }: ToolUse): TodoList {
  const entries = statusList(input);
  if (entries === undefined) {
    const boxes = textsOf(input).flatMap((text) => [...text.matchAll(LIST_BOX)]);
    const open = boxes.flatMap(([, sign, item = ""]) => (sign === "x" || sign === "X" ? [] : [item.trim()]));
    return { hasStatuses: false, boxes: boxes.map(([line]) => line), open };
  }
  const items = entries.flatMap((entry) => {
    const words = wordsOf(entry);
    const status = typeof entry.status === "string" ? entry.status : "";
    return words === undefined ? [] : [{ words, status, isDone: DONE.test(status) }];
  });
  const boxes = items.flatMap(({ words, status, isDone }) =>
    CANCELLED.test(status)
      ? []
      : [`[${isDone ? "x" : " "}] ${words}${status === "in_progress" ? " (in progress)" : ""}`],
  );
  return { hasStatuses: true, boxes, open: items.flatMap(({ words, isDone }) => (isDone ? [] : [words])) };
}

function textsOf(input: JsonValue): string[] {
  return isJsonObject(input) ? Object.values(input).filter((value) => typeof value === "string") : [];
}

const BOX =
  /^[ \t>]{0,20}(?:[-*+]|\d{1,3}\.)[ \t]{1,9}\[([ xX-])\][ \t]{1,9}(\S.*)$|^[ \t>]{0,20}(?:[-*+][ \t]{1,9})?TO-?DO(?:\([^)\n]{1,60}\))?(?::|[ \t]{1,9}[-–—])[ \t]{0,9}(\S.*)$/gm;

function* boxesIn(text: string): Generator<{ item: string; isDone: boolean }> {
  for (const [, sign, item, todo] of text.matchAll(BOX)) {
    yield { item: (item ?? todo ?? "").trim(), isDone: sign === "x" || sign === "X" };
  }
}

const LIST_BOX = /^[ \t]{0,20}(?:[-*+][ \t]{1,9}|\d{1,3}\.[ \t]{1,9})?\[([ xX-])\][ \t]{1,9}(\S.*)$/gm;

const ITEM_KEYS = ["content", "step", "title", "task", "text", "description"];
const DONE = /^(completed?|done|cancell?ed)$/i;
const CANCELLED = /^cancell?ed$/i;

/** Returns the first list with statuses in a tool's input. */
function statusList(input: JsonValue): JsonObject[] | undefined {
  const values = isJsonObject(input) ? Object.values(input) : [];
  const list = values.find((value): value is readonly JsonValue[] => isJsonArray(value) && value.some(isItem));
  return list?.filter(isJsonObject);
}

function isItem(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.status === "string";
}

function wordsOf(entry: JsonObject): string | undefined {
  const words = ITEM_KEYS.map((key) => entry[key]).find((word) => typeof word === "string");
  return typeof words === "string" && words.trim() !== "" ? words.trim() : undefined;
}
