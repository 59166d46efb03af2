import type { Content, ToolUse } from "../content/content.ts";
import { proseOf, sentencesOf } from "./sentences.ts";

/** Words for a cause. */
const CAUSE = [
  "found",
  "(?:problem|issue|bug|cause|reason|error|failure|culprit) (?:is|was|lies|lay)",
  "root causes?",
  "because",
  "turn(?:s|ed) out",
  "caused",
  "confirmed",
  String.raw`used\b.{1,60} instead of`,
];
const SUCCESS = [
  "fixed",
  "resolved",
  "worked",
  "(?:it|fix|change) (?:now )?works",
  String.raw`passed(?! (?:to|in|into|as|by|via|through)\b)`,
  String.raw`(?:all|\d+)\b.{0,30} pass(?:es)?`,
];
const FAILURE = [
  String.raw`failed(?= (?:to|with|on|in|at|because|due|when)\b|\W*$)`,
  "(?:did|was|were|could|had)(?:n['’]t| not)",
  "(?:was|were) missing",
];

/** A sentence that states what happened or why. Statements in the present tense are often requirements, so few of them count. */
const FINDING = new RegExp(String.raw`\b(?:${[...CAUSE, ...SUCCESS, ...FAILURE].join("|")})\b`, "i");

const SUBJECT_ELSEWHERE = String.raw`^(?:it(?! turn(?:s|ed) out)|they|this|that|these|those)\b(?!-)`;
const ANNOUNCEMENT = String.raw`^(?:let me|let['’]s|first,|perfect|great|do you|shall i|step \d{1,3})(?!\w)`;
const OFFER = "let me know|feel free";
const CONDITION =
  "if|unless|should|would|might|must|will|won['’]t|ensure|make sure|going to|needs? to|want to|could(?!n['’]t| not)";

/** A sentence that announces, asks or offers something, that holds only under a condition, or whose subject is in another sentence. */
const NO_FINDING = new RegExp(
  String.raw`${SUBJECT_ELSEWHERE}|${ANNOUNCEMENT}|[?:]$|${OFFER}|\b(?:${CONDITION})\b|['’]ll\b`,
  "i",
);
const MAX_FINDINGS = 20;
const MIN_FINDING_CHARACTERS = 30;

/** Returns how a check, a commit or a push ended; undefined for anything else. */
type OutcomeOf = (use: ToolUse) => "passed" | "failed" | undefined;

/**
 * Returns the assistant's sentences that state what it found, the latest first. A plan or a proposal has none. Leaves out what a later run
 * or the user's next words contradict.
 */
export function findingsIn(contents: readonly Content[], outcomeOf: OutcomeOf = () => undefined): string[] {
  const found = new Set<string>();
  const contradicted = new Set<string>();
  const later: LaterWords = { passed: false, failed: false, objection: false };
  for (const content of contents.toReversed()) {
    recordLater(later, content, outcomeOf);
    for (const sentence of isAnswer(content) ? statementsIn(content.text) : []) {
      (isContradicted(sentence, later) ? contradicted : found).add(sentence.trim());
      if (found.size + contradicted.size >= MAX_FINDINGS) return [...found];
    }
  }
  return [...found];
}

function isAnswer({ level, role }: Content): boolean {
  return level === "text" && role === "assistant";
}

function statementsIn(text: string): string[] {
  return sentencesOf(withoutPlans(proseOf(text))).flatMap((sentence) => {
    const plain = withoutEmphasis(sentence);
    return isFinding(plain, sentence) ? [plain] : [];
  });
}

/** Programs and steps that can pass and fail. */
const RUN = "tests?|checks?|builds?|types?|typescript|lint\\w*|push|commits?|pipeline|ci|hooks?";
const SAYS_PASSED = new RegExp(
  String.raw`\b(?:${RUN}|all|everything)\b.{0,60}\b(?:pass(?:es|ed|ing)?|succe\w+|clean(?:ly)?|green|works?)\b`,
  "i",
);
const SAYS_FAILING = new RegExp(
  String.raw`\bstill\b.{0,30}\b(?:fail\w*|broken|errors?|warning)\b|\b(?:${RUN})\b.{0,40}\b(?:fails?|failing|prevent(?:s|ing)|block(?:s|ing)|(?:is|are) broken)\b`,
  "i",
);
const SAYS_SOLVED =
  /\b(?:fix(?:ed|es)|resolved|solved|restored|works?|working|complete[d]?|succe\w+|pass(?:es|ed)?)\b/i;

/** Words with which the user contradicts the answer before. */
const OBJECTION =
  /^\W*(?:no|nope|wrong|still)\b(?! problem)|\bstill (?:not|fail|broken|see|get|happen|doesn|isn|can)|\b(?:doesn|didn|isn)['’]?t work|\bnot (?:working|fixed|true|right|correct)\b|\bsame (?:error|problem|issue)\b/i;
const OBJECTION_CHARACTERS = 200;

/** The events after a statement. */
interface LaterWords {
  passed: boolean;
  failed: boolean;
  /** Whether the user's next words are an objection. */
  objection: boolean;
}

function recordLater(later: LaterWords, { level, role, text, use }: Content, outcomeOf: OutcomeOf): void {
  const outcome = level === "result" && use !== undefined ? outcomeOf(use) : undefined;
  if (outcome !== undefined) later[outcome] = true;
  if (level === "text" && role === "user") later.objection = OBJECTION.test(text.slice(0, OBJECTION_CHARACTERS));
}

function isContradicted(sentence: string, { passed, failed, objection }: LaterWords): boolean {
  if (objection && SAYS_SOLVED.test(sentence)) return true;
  return (failed && SAYS_PASSED.test(sentence)) || (passed && SAYS_FAILING.test(sentence));
}

/** Words before an announcement, and the announcement. */
const LEAD_IN = String.raw`(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|alright)\W+){0,2}`;
const WILL = "let me|let['’]s|i['’]ll|i will|i need to|i['’]m going to";
/** Verbs after "now", with both of their forms. */
const VERBS =
  "(?:add|apply|build|call|check|commit|edit|find|fix|implement|look|push|read|test|verify)(?:t?ing)?|(?:chang|creat|mak|mov|remov|renam|updat|writ)(?:e|ing)|run(?:ning)?";
/** Words after a verb that show that it is a noun, and that the sentence states something. */
const STATES = String.raw` (?:on|at|as|with)\b|(?: \w+){0,2} (?:is|are|was|were|has|passes|fails|works|succeeds|returns)\b`;

const INTENT = new RegExp(
  String.raw`^\W*${LEAD_IN}(?:${WILL})\b|^\W*now (?:${VERBS})\b(?!${STATES})|^\W*now (?:continu(?:e|ing)\b|[^\n]{1,80}:$)`,
  "i",
);

/** Words that begin a line about something done. */
const DONE =
  "done|fixed|finished|completed?|implemented|updated|added|committed|pushed|merged|removed|created|moved|renamed|released|tests? pass|summary";
const COMMIT_HASH = String.raw`\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40}\b`;
// A start that may go on in the next line would take quadratic time in many empty lines.
const REPORT = new RegExp(String.raw`^[^\w\n\r\u2028\u2029]*(?:all )?(?:${DONE})\b|${COMMIT_HASH}`, "im");

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
const PLAN_WORDS =
  "acceptance|criteri(?:a|on)|plan(?:ned)?|propos(?:al|ed)|should|goals?|requirements?|options?|recommend(?:ed|ations?)|suggest(?:ed|ions?)|roadmap|follow-?ups?|expected|checklist|will|would|could|future|ideas?";
const PLAN = new RegExp(String.raw`(?<![\w./-])(?:${PLAN_WORDS})(?![\w/-]|\.\w)`, "i");
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

const NEXT = "next (?:steps?|tasks?|up)";
const OPEN = "remaining|pending|upcoming|open|outstanding";
const OPEN_THINGS = "work|tasks?|items?|steps?|issues?|changes?|to[- ]?dos?";
const WHOSE = "(?:(?:the|my|our|all|other|possible|recommended|suggested|proposed|immediate) ){0,2}";
const TO_DO = "(?:still )?to[- ]?dos?(?: (?:list|items?))?";

/** Headings above steps that were still to come. */
const NEXT_HEADING = new RegExp(
  String.raw`^\W*${WHOSE}(?:${NEXT}|(?:${OPEN})(?: (?:${OPEN_THINGS}))?|tasks?|${TO_DO}|what['’]s (?:left|next))(?: to do)?(?: \([^)]{0,60}\))?\W*$|^\W*${NEXT}\W*:`,
  "i",
);

/** Lines that name or offer the next step. */
const NEXT_STEP = new RegExp(
  String.raw`^\W*(?:${[
    String.raw`(?:[Tt]he )?[Nn]ext (?:steps?|tasks?|up)\b`,
    String.raw`Next (?:is|comes|I|we)\b`,
    String.raw`Next\*{0,2}[:,]`,
    "[Ww]ant (?:me )?to|[Ww]ould you like|[Dd]o you want|[Ll]et me know",
    String.raw`(?:[Ss]hall|[Ss]hould) (?:I|we)\b`,
    String.raw`[Rr]eady to (?:begin|continue|go|implement|move|proceed|start)\b`,
  ].join("|")})`,
);

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
