import type { Content } from "../content/content.ts";
import { proseOf, sentencesOf } from "./sentences.ts";

/** A sentence that states what happened or why. Statements in the present tense are often requirements, so few of them count. */
const FINDING =
  /\b(?:found|(?:problem|issue|bug|cause|reason|error|failure|culprit) (?:is|was|lies|lay)|root causes?|because|turn(?:s|ed) out|caused|confirmed|fixed|resolved|worked|(?:it|fix|change) (?:now )?works|passed(?! (?:to|in|into|as|by|via|through)\b)|failed(?= (?:to|with|on|in|at|because|due|when)\b|\W*$)|(?:did|was|were|could|had)(?:n['’]t| not)|(?:was|were) missing|used\b.{1,60} instead of|(?:all|\d+)\b.{0,30} pass(?:es)?)\b/i;
/** A sentence that announces, asks or offers something, that holds only under a condition, or whose subject is in another sentence. */
const NO_FINDING =
  /^(?:it(?! turn(?:s|ed) out)|they|this|that|these|those)\b(?!-)|^(?:let me|let['’]s|first,|perfect|great|do you|shall i|step \d{1,3})(?!\w)|[?:]$|let me know|feel free|\b(?:if|unless|should|would|might|must|will|won['’]t|ensure|make sure|going to|needs? to|want to|could(?!n['’]t| not))\b|['’]ll\b/i;
const MAX_FINDINGS = 20;
const MIN_FINDING_CHARACTERS = 30;

/** Returns the assistant's sentences that state what it found, the latest first. A plan or a proposal has none. */
export function findingsIn(contents: readonly Content[]): string[] {
  const found = new Set<string>();
  for (const { level, role, text } of contents.toReversed()) {
    if (level !== "text" || role !== "assistant") continue;
    for (const sentence of sentencesOf(withoutPlans(proseOf(text)))) {
      const plain = withoutEmphasis(sentence);
      if (isFinding(plain, sentence)) found.add(plain.trim());
      if (found.size >= MAX_FINDINGS) return [...found];
    }
  }
  return [...found];
}

const INTENT =
  /^\W*(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|alright)\W+){0,2}(?:let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to)\b|^\W*now (?:(?:add|apply|build|call|check|commit|edit|find|fix|implement|look|push|read|test|verify)(?:t?ing)?|(?:chang|creat|mak|mov|remov|renam|updat|writ)(?:e|ing)|run(?:ning)?)\b(?! (?:on|at|as|with)\b)(?!(?: \w+){0,2} (?:is|are|was|were|has|passes|fails|works|succeeds|returns)\b)/i;
// A start that may go on in the next line would take quadratic time in many empty lines.
const REPORT =
  /^[^\w\n\r\u2028\u2029]*(?:all )?(?:done|fixed|finished|completed?|implemented|updated|added|committed|pushed|merged|removed|created|moved|renamed|released|tests? pass|summary)\b|\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40}\b/im;

/** Whether a text of the assistant only announces its next step. */
export function isIntent(text: string): boolean {
  return INTENT.test(text) && !REPORT.test(text);
}

/** Whether a text of the assistant reports a result, such as a change or a commit. */
export function isReport(text: string): boolean {
  return REPORT.test(text);
}

/** Removes the marks of Markdown around words, and pictograms. */
export function withoutEmphasis(text: string): string {
  return text.replace(/\*{2,3}|\p{Extended_Pictographic}\ufe0f? ?/gu, "");
}

/** Signs of success and failure, which assistants use in any language. */
const SIGN = /[\u2705\u274c]/;

function isFinding(sentence: string, withSigns: string): boolean {
  if (sentence.length < MIN_FINDING_CHARACTERS || NO_FINDING.test(sentence)) return false;
  if (INTENT.test(sentence) || NEXT_STEP.test(sentence)) return false;
  return (FINDING.test(sentence) || SIGN.test(withSigns)) && !isPlan(/^[^:]{1,40}(?=:)/.exec(sentence)?.[0] ?? "");
}

/** Whether a heading names intentions or requirements. */
function isPlan(heading: string): boolean {
  return PLAN.test(heading) || NEXT_HEADING.test(heading);
}

/** Words of a heading above a list of intentions or requirements; not the parts of a path or a name. */
const PLAN =
  /(?<![\w./-])(?:acceptance|criteri(?:a|on)|plan(?:ned)?|propos(?:al|ed)|should|goals?|requirements?|options?|recommend(?:ed|ations?)|suggest(?:ed|ions?)|roadmap|follow-?ups?|expected|checklist|will|would|could|future|ideas?)(?![\w/-]|\.\w)/i;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

/** Headings above steps that were still to come, and lines that name or offer the next one. */
const NEXT_HEADING =
  /^\W*(?:(?:the|my|our|all|other|possible|recommended|suggested|proposed|immediate) ){0,2}(?:next (?:steps?|tasks?|up)|(?:remaining|pending|upcoming|open|outstanding)(?: (?:work|tasks?|items?|steps?|issues?|changes?|to[- ]?dos?))?|tasks?|(?:still )?to[- ]?dos?(?: (?:list|items?))?|what['’]s (?:left|next))(?: to do)?(?: \([^)]{0,60}\))?\W*$|^\W*next (?:steps?|tasks?|up)\W*:/i;
const NEXT_STEP =
  /^\W*(?:(?:[Tt]he )?[Nn]ext (?:steps?|tasks?|up)\b|Next (?:is|comes|I|we)\b|Next\*{0,2}[:,]|[Ww]ant (?:me )?to|[Ww]ould you like|(?:[Ss]hall|[Ss]hould) (?:I|we)\b|[Rr]eady to (?:begin|continue|go|implement|move|proceed|start)\b|[Dd]o you want|[Ll]et me know)/;

/** Removes what a text says about later steps: it is outdated once the conversation goes on. */
export function withoutNextSteps(text: string): string {
  const kept = outside(text, (heading) => NEXT_HEADING.test(heading)).filter((line) => !NEXT_STEP.test(line));
  return kept.length === 0 ? text : kept.join("\n");
}

function withoutPlans(text: string): string {
  return outside(text, isPlan)
    .filter((line) => !line.startsWith("#"))
    .join("\n");
}

/** Returns the lines that are not below a heading of plans, up to the next heading of its level or the paragraph after a list. */
function outside(text: string, isPlanned: (heading: string) => boolean): string[] {
  let planLevel = 0;
  let hasItems = false;
  const isStated = (line: string) => {
    const level = headingLevel(line);
    if (level === undefined) {
      const isParagraph = /^\S/.test(line) && !ITEM.test(line);
      if (isParagraph && hasItems && planLevel >= LEVELS.line) planLevel = 0;
      hasItems ||= ITEM.test(line);
    } else if (planLevel === 0 || level <= planLevel) {
      planLevel = isPlanned(line) ? level : 0;
      hasItems = false;
    }
    return planLevel === 0;
  };
  return text.split("\n").filter(isStated);
}

/** Levels below those of Markdown headings: a short line without an end, and a list item that ends in a colon. */
const LEVELS = { line: 7, item: 8 } as const;
const MAX_HEADING_CHARACTERS = 80;

function headingLevel(line: string): number | undefined {
  const marks = /^#{1,6}(?= )/.exec(line);
  if (marks !== null) return marks[0].length;
  const words = line.replace(/[\s*_]+$/, "");
  if (words === "" || words.length > MAX_HEADING_CHARACTERS) return undefined;
  if (ITEM.test(line)) return words.endsWith(":") ? LEVELS.item : undefined;
  return /^\S/.test(line) && !/[.!?,;]$/.test(words) ? LEVELS.line : undefined;
}
