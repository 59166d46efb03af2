import type { Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { FactsReport } from "../contract/report.ts";
import type { View } from "../contract/view.ts";
import { type Answer, type Ask, asksIn, type Edit } from "../edits/edit.ts";
import { groupBy, sum } from "../edits/lists.ts";
import { type Fact, factsIn, openTodos, type Told } from "./fact.ts";
import { formsOf, isTold, meaningIn, sentencesOf, termsIn } from "./sentences.ts";

/** Answers whose missing facts were put back, and how much the summaries had kept. */
interface CheckedAnswers {
  readonly answers: readonly Answer[];
  readonly facts?: FactsReport;
}

/**
 * Checks what summaries kept of the facts in the messages that they stand for, and puts back what is missing and matters, as a short list
 * under each. A fact that is told by what stays in the conversation is not missing. The list is bounded so that a plan that makes the
 * conversation smaller, reaches the target or fits the budget still does.
 */
export function keepFacts(edits: readonly Edit[], answers: readonly Answer[], view: View): CheckedAnswers {
  const asks = asksIn(edits);
  const summaries = answers.flatMap((answer, index) => summaryOf(asks[index], answer, index) ?? []);
  if (summaries.length === 0) return { answers };
  const going = goingMessages(edits);
  const isGoing = ({ at }: Content) => going.has(at.message);
  const { contents } = view.contents();
  const kept = contents.filter((content) => !isGoing(content));
  const isKnown = knownIn(
    summaries.map(({ text }) => text),
    kept,
  );
  const told = toldBy(summaries, contents.filter(isGoing), view);
  const room = roomFor(summaries, going, view) / summaries.length;
  const checked = summaries.map((summary) => {
    const facts = factsIn(told.get(summary) ?? NOTHING);
    const missing = facts.filter((fact) => !isKnown(fact));
    const lines = linesFor(missing, Math.min(room, allowance(summary.text, view)), view.counter);
    return { ...summary, found: facts.length, missing: missing.length, lines };
  });
  return { answers: answersWith(answers, checked), facts: reportOf(checked) };
}

interface Checked extends Summary {
  readonly found: number;
  readonly missing: number;
  /** The lines that are put back. */
  readonly lines: readonly string[];
}

function answersWith(answers: readonly Answer[], checked: readonly Checked[]): Answer[] {
  const texts = new Map(checked.map(({ index, text, lines }) => [index, withLines(text, lines)]));
  return answers.map((answer, index) => {
    const text = texts.get(index);
    return answer.kind === "text" && text !== undefined ? { ...answer, text } : answer;
  });
}

function reportOf(checked: readonly Checked[]): FactsReport {
  return {
    found: sum(checked.map(({ found }) => found)),
    retainedBySummary: sum(checked.map(({ found, missing }) => found - missing)),
    putBack: checked.flatMap(({ lines }) => lines),
  };
}

interface Summary {
  readonly ask: Ask;
  readonly text: string;
  readonly index: number;
}

/** The answer to an ask about messages. One about a single text stands in that text, where a list of facts has no place. */
function summaryOf(ask: Ask | undefined, answer: Answer, index: number): Summary | undefined {
  if (ask === undefined || answer.kind !== "text" || answer.text.trim() === "") return undefined;
  const isSingleText = ask.range === undefined && ask.previous === undefined && ask.messages.length === 1;
  return isSingleText ? undefined : { ask, text: answer.text, index };
}

function goingMessages(edits: readonly Edit[]): ReadonlySet<number> {
  const going = new Set<number>();
  for (const edit of edits) {
    if (edit.kind !== "replace") continue;
    for (let index = edit.from; index < edit.to; index++) going.add(index);
  }
  return going;
}

const NOTHING: Told = { contents: [], previous: undefined, todos: [] };

/** What each summary stands for. An earlier summary that goes, and what only it says, belongs to the one that carries it on. */
function toldBy(summaries: readonly Summary[], going: readonly Content[], view: View): Map<Summary, Told> {
  const { messages } = view.conversation;
  const ownerOf = new Map<Message, Summary>();
  for (const summary of summaries) for (const message of summary.ask.messages) ownerOf.set(message, summary);
  const carrier = summaries.find(({ ask }) => ask.previous !== undefined);
  const owner = (index: number) => ownerOf.get(messages[index] ?? NO_MESSAGE);
  const contents = groupBy(going, ({ at }) => owner(at.message));
  const goingMessages = new Set(going.map(({ at }) => at.message));
  const todos = openTodos(view.contents().contents).filter(({ message }) => goingMessages.has(message));
  const todosOf = groupBy(todos, ({ message }) => owner(message) ?? carrier);
  return new Map(
    summaries.map((summary) => {
      const told = { contents: contents.get(summary) ?? [], todos: todosOf.get(summary) ?? [] };
      return [summary, { ...told, previous: summary.ask.previous }];
    }),
  );
}

const NO_MESSAGE: Message = { role: "user", blocks: [] };

/** What the lists may take of a summary's length, and at most. */
const SHARE_OF_SUMMARY = 0.25;
const MAX_TOKENS = 500;

function allowance(summary: string, { counter }: View): number {
  return Math.min(MAX_TOKENS, counter.countText(summary) * SHARE_OF_SUMMARY);
}

/** Share of the room that may be taken: counts of parts do not add up exactly. */
const SHARE_OF_ROOM = 0.5;

/** Tokens that can be added without the result growing, or missing the target or the budget that it would have reached. */
function roomFor(summaries: readonly Summary[], going: ReadonlySet<number>, view: View): number {
  const gone = sum([...going].map((index) => view.messageTokens[index] ?? 0));
  const after = view.tokens - gone + sum(summaries.map(({ text }) => view.counter.countText(text)));
  const { targetTokens, budgetTokens } = view.limits;
  const limits = [targetTokens, budgetTokens, view.tokens].filter((limit) => limit > after);
  return limits.length === 0 ? 0 : (Math.min(...limits) - after) * SHARE_OF_ROOM;
}

/**
 * Says whether a fact is told by summaries or by contents that stay. A term must stand there letter for letter, a path at least by its last
 * name; a summary may put a sentence in other words.
 */
export function knownIn(summaries: readonly string[], kept: readonly Content[]): (fact: Fact) => boolean {
  const terms = new Set<string>();
  for (const text of [...summaries, ...kept.map((content) => content.text)]) {
    for (const { word } of termsIn(text)) for (const form of formsOf(word)) terms.add(form);
  }
  for (const [word] of summaries.join("\n").matchAll(/[\p{L}\p{N}_]+/gu)) terms.add(word);
  const meaning = new Set(summaries.flatMap((summary) => [...meaningIn(summary)]));
  const sentences = new Set(kept.filter(({ level }) => level !== "result").flatMap(({ text }) => said(text)));
  return ({ kind, words: fact }) => {
    if (kind === "sentence") return sentences.has(fact) || isTold(fact, meaning);
    return formsOf(fact).some((form) => terms.has(form));
  };
}

function said(text: string): string[] {
  return [text.trim(), ...sentencesOf(text)];
}

/** Stands before the lines that were put back under a summary. */
export const FACTS_HEADING = "Also from these messages:";

/** The lines that say the missing facts that matter most, within so many tokens, in the order in which they were said. */
export function linesFor(missing: readonly Fact[], allowanceTokens: number, counter: TokenCounter): string[] {
  let left = allowanceTokens - counter.countText(`\n\n${FACTS_HEADING}`);
  const told = new Set<string>();
  const chosen: { readonly line: string; readonly order: number }[] = [];
  const byWeight = missing.toSorted((a, b) => b.weight - a.weight || a.order - b.order || compare(a.words, b.words));
  for (const fact of byWeight.slice(0, MAX_LOOKED_AT)) {
    if (left <= 0) break;
    const line = clip(fact);
    if (told.has(fact.words) || told.has(line)) continue;
    const tokens = counter.countText(`\n- ${line}`) + 1;
    if (tokens > left) continue;
    left -= tokens;
    chosen.push({ line, order: fact.order });
    for (const word of [line, fact.words, ...termsIn(line).map((term) => term.word)]) told.add(word);
  }
  return chosen.sort((a, b) => a.order - b.order).map(({ line }) => line);
}

/** More would not fit the allowance. */
const MAX_LOOKED_AT = 300;

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const MAX_LINE_CHARS = 200;

/** The line of a fact; of a long one the part around the fact. */
function clip({ line, words, kind }: Fact): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const at = kind === "term" ? Math.max(0, line.indexOf(words)) : 0;
  const from = at < MAX_LINE_CHARS / 2 ? 0 : wordStart(line, at - MAX_LINE_CHARS / 2);
  const end = wordEnd(line, Math.max(from + MAX_LINE_CHARS, at + words.length));
  return `${from === 0 ? "" : "… "}${line.slice(from, end).trim()}${end < line.length ? " …" : ""}`;
}

/** How far to look for a blank before a word is cut in two. */
const WORD_SLACK = 40;

function wordStart(text: string, at: number): number {
  const blank = text.indexOf(" ", at);
  return blank === -1 || blank > at + WORD_SLACK ? at : blank + 1;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const blank = text.lastIndexOf(" ", at);
  return blank < at - WORD_SLACK ? at : blank;
}

/** The lines that were put back under a summary; none where its text has none. */
export function restoredFactsIn(text: string): string[] {
  const lines = text.split("\n");
  const end = lines.lastIndexOf(FACTS_HEADING) + 1;
  if (end === 0) return [];
  const told = lines.slice(end);
  const after = told.findIndex((line) => !line.startsWith("- "));
  return told.slice(0, after === -1 ? told.length : after).map((line) => line.slice(2));
}

/** A summary with lines put back under it. */
export function withLines(summary: string, lines: readonly string[]): string {
  if (lines.length === 0) return summary;
  return `${summary.trim()}\n\n${FACTS_HEADING}\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
