import type { TokenCounter } from "@longhaul/models";
import type { Fact } from "./fact.ts";
import { termsIn } from "./terms.ts";

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
