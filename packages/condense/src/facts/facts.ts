import type { Message } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content } from "../content/content.ts";
import type { FactsReport } from "../contract/report.ts";
import type { View } from "../contract/view.ts";
import { type Answer, type Ask, asksIn, type Edit } from "../edits/edit.ts";
import { groupBy, sum } from "../edits/lists.ts";
import { type Fact, factsIn, openTodos, type SummarizedContent } from "./fact.ts";
import { formsOf, isCovered, sentencesOf, significantWords, termsIn } from "./sentences.ts";

/** Answers with missing facts restored, and how many facts the summaries kept. */
interface CheckedAnswers {
  readonly answers: readonly Answer[];
  readonly facts?: FactsReport;
}

/**
 * Checks which facts of the summarized messages the summaries kept, and restores important missing ones as a short list below each. A fact
 * in the rest of the conversation is not missing. The list is bounded so that it never makes a plan grow the conversation or miss its
 * target or budget.
 */
export function keepFacts(edits: readonly Edit[], answers: readonly Answer[], view: View): CheckedAnswers {
  const asks = asksIn(edits);
  const summaries = answers.flatMap((answer, index) => summaryOf(asks[index], answer, index) ?? []);
  if (summaries.length === 0) return { answers };
  const removed = removedMessages(edits);
  const isRemoved = ({ at }: Content) => removed.has(at.message);
  const { contents } = view.contents();
  const kept = contents.filter((content) => !isRemoved(content));
  const isKnown = knownIn(
    summaries.map(({ text }) => text),
    kept,
  );
  const covered = contentBySummary(summaries, contents.filter(isRemoved), view);
  const room = roomFor(summaries, removed, view) / summaries.length;
  const checked = summaries.map((summary) => {
    const facts = factsIn(covered.get(summary) ?? NOTHING);
    const missing = facts.filter((fact) => !isKnown(fact));
    const lines = linesFor(missing, Math.min(room, allowance(summary.text, view)), view.counter);
    return { ...summary, found: facts.length, missing: missing.length, lines };
  });
  return { answers: answersWith(answers, checked), facts: reportOf(checked) };
}

interface Checked extends Summary {
  readonly found: number;
  readonly missing: number;
  /** The restored lines. */
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

/** Returns the answer to an ask about messages. A summary of a single text is inside that text, where a list of facts does not belong. */
function summaryOf(ask: Ask | undefined, answer: Answer, index: number): Summary | undefined {
  if (ask === undefined || answer.kind !== "text" || answer.text.trim() === "") return undefined;
  const isSingleText = ask.range === undefined && ask.previous === undefined && ask.messages.length === 1;
  return isSingleText ? undefined : { ask, text: answer.text, index };
}

function removedMessages(edits: readonly Edit[]): ReadonlySet<number> {
  const removed = new Set<number>();
  for (const edit of edits) {
    if (edit.kind !== "replace") continue;
    for (let index = edit.from; index < edit.to; index++) removed.add(index);
  }
  return removed;
}

const NOTHING: SummarizedContent = { contents: [], previous: undefined, todos: [] };

/** Returns the content that each summary replaces. An earlier summary that is removed belongs to the one that updates it. */
function contentBySummary(
  summaries: readonly Summary[],
  removed: readonly Content[],
  view: View,
): Map<Summary, SummarizedContent> {
  const { messages } = view.conversation;
  const ownerOf = new Map<Message, Summary>();
  for (const summary of summaries) for (const message of summary.ask.messages) ownerOf.set(message, summary);
  const carrier = summaries.find(({ ask }) => ask.previous !== undefined);
  const owner = (index: number) => ownerOf.get(messages[index] ?? NO_MESSAGE);
  const contents = groupBy(removed, ({ at }) => owner(at.message));
  const removedMessages = new Set(removed.map(({ at }) => at.message));
  const todos = openTodos(view.contents().contents).filter(({ message }) => removedMessages.has(message));
  const todosOf = groupBy(todos, ({ message }) => owner(message) ?? carrier);
  return new Map(
    summaries.map((summary) => {
      const covered = { contents: contents.get(summary) ?? [], todos: todosOf.get(summary) ?? [] };
      return [summary, { ...covered, previous: summary.ask.previous }];
    }),
  );
}

const NO_MESSAGE: Message = { role: "user", blocks: [] };

/** Largest share of a summary that its list may add, and its absolute limit. */
const SHARE_OF_SUMMARY = 0.25;
const MAX_TOKENS = 500;

function allowance(summary: string, { counter }: View): number {
  return Math.min(MAX_TOKENS, counter.countText(summary) * SHARE_OF_SUMMARY);
}

/** Share of the remaining room that may be used: counts of parts do not add up exactly. */
const SHARE_OF_ROOM = 0.5;

/** Tokens that can be added without growing the result or missing the target or budget. */
function roomFor(summaries: readonly Summary[], removed: ReadonlySet<number>, view: View): number {
  const gone = sum([...removed].map((index) => view.messageTokens[index] ?? 0));
  const after = view.tokens - gone + sum(summaries.map(({ text }) => view.counter.countText(text)));
  const { targetTokens, budgetTokens } = view.limits;
  const limits = [targetTokens, budgetTokens, view.tokens].filter((limit) => limit > after);
  return limits.length === 0 ? 0 : (Math.min(...limits) - after) * SHARE_OF_ROOM;
}

/**
 * Returns a predicate for facts that summaries or kept contents contain. A term must occur literally, a path at least by its last part; a
 * summary may rephrase a sentence.
 */
export function knownIn(summaries: readonly string[], kept: readonly Content[]): (fact: Fact) => boolean {
  const terms = new Set<string>();
  for (const text of [...summaries, ...kept.map((content) => content.text)]) {
    for (const { word } of termsIn(text)) for (const form of formsOf(word)) terms.add(form);
  }
  for (const [word] of summaries.join("\n").matchAll(/[\p{L}\p{N}_]+/gu)) terms.add(word);
  const significant = new Set(summaries.flatMap((summary) => [...significantWords(summary)]));
  const sentences = new Set(
    kept.filter(({ level }) => level !== "result").flatMap(({ text }) => sentencesAndText(text)),
  );
  return ({ kind, words: fact }) => {
    if (kind === "sentence") return sentences.has(fact) || isCovered(fact, significant);
    return formsOf(fact).some((form) => terms.has(form));
  };
}

function sentencesAndText(text: string): string[] {
  return [text.trim(), ...sentencesOf(text)];
}

/** Precedes the lines restored below a summary. */
export const FACTS_HEADING = "Also from these messages:";

/** Returns lines with the most important missing facts within a token limit, in their original order. */
export function linesFor(missing: readonly Fact[], allowanceTokens: number, counter: TokenCounter): string[] {
  let left = allowanceTokens - counter.countText(`\n\n${FACTS_HEADING}`);
  const covered = new Set<string>();
  const chosen: { readonly line: string; readonly order: number }[] = [];
  const byWeight = missing.toSorted((a, b) => b.weight - a.weight || a.order - b.order || compare(a.words, b.words));
  for (const fact of byWeight.slice(0, MAX_CANDIDATES)) {
    if (left <= 0) break;
    const line = clip(fact);
    if (covered.has(fact.words) || covered.has(line)) continue;
    const tokens = counter.countText(`\n- ${line}`) + 1;
    if (tokens > left) continue;
    left -= tokens;
    chosen.push({ line, order: fact.order });
    for (const word of [line, fact.words, ...termsIn(line).map((term) => term.word)]) covered.add(word);
  }
  return chosen.sort((a, b) => a.order - b.order).map(({ line }) => line);
}

/** More would not fit the limit. */
const MAX_CANDIDATES = 300;

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const MAX_LINE_CHARS = 200;

/** Returns the line of a fact, shortened to the part around it. */
function clip({ line, words, kind }: Fact): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const at = kind === "term" ? Math.max(0, line.indexOf(words)) : 0;
  const from = at < MAX_LINE_CHARS / 2 ? 0 : wordStart(line, at - MAX_LINE_CHARS / 2);
  const end = wordEnd(line, Math.max(from + MAX_LINE_CHARS, at + words.length));
  return `${from === 0 ? "" : "… "}${line.slice(from, end).trim()}${end < line.length ? " …" : ""}`;
}

/** How far to look for a blank before a word is split. */
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

/** Returns the lines restored below a summary. */
export function restoredFactsIn(text: string): string[] {
  const lines = text.split("\n");
  const end = lines.lastIndexOf(FACTS_HEADING) + 1;
  if (end === 0) return [];
  const covered = lines.slice(end);
  const after = covered.findIndex((line) => !line.startsWith("- "));
  return covered.slice(0, after === -1 ? covered.length : after).map((line) => line.slice(2));
}

/** Adds lines below a summary. */
export function withLines(summary: string, lines: readonly string[]): string {
  if (lines.length === 0) return summary;
  return `${summary.trim()}\n\n${FACTS_HEADING}\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
