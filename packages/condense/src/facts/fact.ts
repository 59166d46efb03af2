import { isJsonArray, isJsonObject, type JsonValue, table } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { isConstraint, sentencesOf, type TermKind, termsIn } from "./sentences.ts";

/** Something that a summary should keep, with a line that says it. */
export interface Fact {
  /** A term is known by its word; a constraint or a to-do is a sentence. */
  readonly kind: "term" | "sentence";
  readonly words: string;
  readonly line: string;
  /** How much it matters: what it is, who said it, how often and how lately. */
  readonly weight: number;
  /** Where the line was said, in the order of the texts. */
  readonly order: number;
}

/** What a summary stands for. */
export interface Told {
  readonly contents: readonly Content[];
  /** The summary that stood before them. */
  readonly previous: string | undefined;
  /** What is still to be done of what they say. */
  readonly todos: readonly Todo[];
}

/**
 * The facts in what a summary stands for: the user's constraints, open to-dos, and terms that the user or the assistant said, that tools
 * were called with, or that errors named. Terms that stand only in what tools answered are none: what matters of them is said again.
 */
export function factsIn({ contents, previous, todos }: Told): Fact[] {
  const terms = new Map<string, Sighting>();
  const constraints = new Map<string, Fact>();
  const said = saidIn(contents, previous);
  for (const [order, { voice, sentence, words = sentence }] of said.entries()) {
    for (const { word, kind } of termsIn(words)) {
      if (MATTERS[voice].has(kind)) see(terms, { word, kind, voice, sentence, order });
    }
    if (voice !== "user" || !isConstraint(sentence)) continue;
    constraints.set(sentence, { kind: "sentence", words: sentence, line: sentence, weight: CONSTRAINT_WEIGHT, order });
  }
  return [
    ...constraints.values(),
    ...todos.map((todo) => openFact(todo, said.length)),
    ...[...terms.values()].map((sighting) => weigh(sighting, said.length)),
  ];
}

function openFact({ item }: Todo, order: number): Fact {
  return { kind: "sentence", words: item, line: `[ ] ${item}`, weight: TODO_WEIGHT, order };
}

const CONSTRAINT_WEIGHT = 20;
const TODO_WEIGHT = 12;
const TERM_WEIGHT: Readonly<Record<TermKind, number>> = table({ url: 4, path: 3, error: 3, identifier: 1, number: 1 });

/** Who says something, and how much more that matters. */
const VOICE_WEIGHT = table({ user: 3, assistant: 1, call: 0.9, failure: 0.8 } as const);
type Voice = keyof typeof VOICE_WEIGHT;

/** The kinds of terms that matter by who says them: commands and failures are full of figures that nobody will ask for. */
const MATTERS: Readonly<Record<Voice, ReadonlySet<TermKind>>> = table({
  user: new Set(["url", "path", "error", "identifier", "number"]),
  assistant: new Set(["url", "path", "error", "identifier", "number"]),
  call: new Set(["url", "path"]),
  failure: new Set(["path", "error"]),
});

interface Said {
  readonly voice: Voice;
  readonly sentence: string;
  /** What of the sentence may hold facts. @default all of it */
  readonly words?: string;
}

/** All sentences that facts are looked for in. */
function saidIn(contents: readonly Content[], previous: string | undefined): Said[] {
  const before = sentencesOf(previous ?? "").map((sentence) => ({ voice: "assistant", sentence }) as const);
  return [...before, ...contents.flatMap(saidBy)];
}

/** Arguments longer than this are files and patches, not names. */
const MAX_ARGUMENT_CHARS = 200;

/** Longer texts of the user were mostly written by somebody else. */
const MAX_OWN_CHARS = 3_000;

function saidBy({ level, role, text, use }: Content): Said[] {
  if (level === "parameters") {
    const words = text.trim().replace(/\s+/g, " ");
    const isName = use !== undefined && text.length <= MAX_ARGUMENT_CHARS && words !== "";
    return isName ? [{ voice: "call", sentence: `${use.name}: ${words}`, words }] : [];
  }
  if (level === "result" && use?.isError !== true) return [];
  const isOwn = role === "user" && text.length <= MAX_OWN_CHARS;
  const voice = level === "result" ? "failure" : isOwn ? "user" : "assistant";
  return sentencesOf(text).map((sentence) => ({ voice, sentence }));
}

interface Sighting {
  readonly word: string;
  readonly kind: TermKind;
  readonly voice: Voice;
  readonly sentence: string;
  readonly order: number;
  readonly count: number;
}

/** Notes that a term was said; the sentence that is kept is the shortest one of whoever matters most. */
function see(terms: Map<string, Sighting>, now: Omit<Sighting, "count">): void {
  const before = terms.get(now.word);
  const count = (before?.count ?? 0) + 1;
  const isBetter = before === undefined || compareSightings(now, before) > 0;
  terms.set(now.word, { ...(isBetter ? now : before), count, order: now.order });
}

function compareSightings(a: Omit<Sighting, "count">, b: Sighting): number {
  return VOICE_WEIGHT[a.voice] - VOICE_WEIGHT[b.voice] || b.sentence.length - a.sentence.length;
}

function weigh({ word, kind, voice, sentence, order, count }: Sighting, length: number): Fact {
  const recency = 0.5 + order / (2 * length);
  const weight = TERM_WEIGHT[kind] * VOICE_WEIGHT[voice] * (1 + Math.log2(count)) * recency;
  return { kind: "term", words: word, line: sentence, weight, order };
}

/** Something that is still to be done, and the message that said so last. */
export interface Todo {
  readonly item: string;
  readonly message: number;
}

/**
 * What is still to be done after all contents of a conversation: unchecked boxes of checklists, lines that begin with the word to-do, and the lists
 * that tools keep, of each tool the latest one.
 */
export function openTodos(contents: readonly Content[]): Todo[] {
  const boxes = new Map<string, { isDone: boolean; message: number }>();
  const lists = new Map<string, readonly Todo[]>();
  for (const { level, text, use, at } of contents) {
    if (level === "result") continue;
    const { message } = at;
    for (const { item, isDone } of boxesIn(text)) boxes.set(item, { isDone, message });
    const list = level === "parameters" && use !== undefined ? listIn(use.input) : undefined;
    if (list !== undefined)
      lists.set(
        use?.name ?? "",
        list.map((item) => ({ item, message })),
      );
  }
  const unchecked = [...boxes].flatMap(([item, { isDone, message }]) => (isDone ? [] : [{ item, message }]));
  return [...unchecked, ...[...lists.values()].flat()];
}

const BOX =
  /^[ \t>]{0,20}(?:[-*+]|\d{1,3}\.)[ \t]{1,9}\[([ xX-])\][ \t]{1,9}(\S.*)$|^[ \t>]{0,20}(?:[-*+][ \t]{1,9})?TO-?DO\b:?[ \t]{0,9}(\S.*)$/gm;

function* boxesIn(text: string): Generator<{ item: string; isDone: boolean }> {
  for (const [, sign, item, todo] of text.matchAll(BOX)) {
    yield { item: (item ?? todo ?? "").trim(), isDone: sign === "x" || sign === "X" };
  }
}

const ITEM_KEYS = ["content", "step", "title", "task", "text", "description"];
const DONE = /^(completed?|done|cancell?ed)$/i;

/** The open items of the first list of items with a status in a tool's input; nothing where there is no such list. */
function listIn(input: JsonValue): string[] | undefined {
  const values = isJsonObject(input) ? Object.values(input) : [];
  const list = values.find((value): value is readonly JsonValue[] => isJsonArray(value) && value.some(isItem));
  return list?.flatMap((entry) => openItem(entry) ?? []);
}

function isItem(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.status === "string";
}

function openItem(value: JsonValue): string | undefined {
  if (!isJsonObject(value) || (typeof value.status === "string" && DONE.test(value.status))) return undefined;
  const words = ITEM_KEYS.map((key) => value[key]).find((word) => typeof word === "string");
  return typeof words === "string" && words.trim() !== "" ? words.trim() : undefined;
}
