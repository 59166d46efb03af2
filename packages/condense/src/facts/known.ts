import type { Content } from "../content/content.ts";
import type { Fact } from "./fact.ts";
import { isTold, meaningIn, sentencesOf } from "./sentences.ts";
import { formsOf, termsIn } from "./terms.ts";

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
