/** Splits a text into sentences and lines of prose, without layout. Fenced code and client tags are omitted. */
export function sentencesOf(text: string): string[] {
  return proseOf(text)
    .split("\n")
    .flatMap((line) => line.split(SENTENCE_END))
    .map((sentence) => sentence.replace(LAYOUT, ""))
    .filter(isProse);
}

/** Removes fenced code and the content of client tags from a text. */
export function proseOf(text: string): string {
  return withoutTags(text).replace(FENCED, "\n");
}

const FENCED = /^```[^\n]*\n[\s\S]*?^```/gm;

const SENTENCE_END = /(?<=[.!?])\s+(?=\S)|(?<=[。！？])/;

/** Bullets, quotes and heading marks before a line, and emphasis at its end. */
const LAYOUT = /^[\s>#*+-]+|[\s*]+$/g;

const LEAST_WORDS = 2;
/** Minimum share of letters, digits and blanks; code and tables have less. */
const LEAST_PROSE = 0.75;

const WORD = /(?<=^|[\s"'([*`])\p{L}{2,}(?=$|[\s"'’)\]*`.,;:!?-])/gu;
const WORDS_WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u;

/** Whether a line is prose: more than names, and not code or part of a table. */
export function isProse(line: string): boolean {
  const words = line.match(WORD)?.length ?? 0;
  if (words < LEAST_WORDS && !WORDS_WITHOUT_BLANKS.test(line)) return false;
  const prose = line.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
  return prose >= line.length * LEAST_PROSE;
}

const CONSTRAINT =
  /\b(?:must|mustn['’]t|never|always|only|don['’]t|do not|shouldn['’]t|should not|can['’]t|cannot|avoid|make sure|have to|need to|prefer|instead of|leave .{1,40} alone|without)\b/i;

/** Whether a sentence of the user constrains how the work is done. */
export function isConstraint(sentence: string): boolean {
  return CONSTRAINT.test(sentence);
}

/** Returns the significant words of a text, lowercased and stemmed. */
export function significantWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.slice(0, STEM_CHARS)));
}

/** Enough to distinguish words, too short for most endings. */
const STEM_CHARS = 5;

const STOP_WORDS: ReadonlySet<string> = new Set(
  "the and for you your are was were has have had not but can all any its that this with from into out than then them they will would should could please just also let get use".split(
    " ",
  ),
);

/** Share of a sentence's words that another text must contain to count as saying the same. */
const COVERED_SHARE = 0.7;

/** Whether a text with these words says the same as a sentence, possibly in another order. */
export function isCovered(sentence: string, words: ReadonlySet<string>): boolean {
  const significant = [...significantWords(sentence)];
  const covered = significant.filter((word) => words.has(word)).length;
  return covered >= significant.length * COVERED_SHARE;
}

// The names of client tags have several parts, HTML tags do not.
const TAG = /<(\/?)([a-z]{1,30}[-_][a-z_-]{1,40})>/g;

/** Removes the content of client tags from a text, such as reminders and command output. */
export function withoutTags(text: string): string {
  const tags = [...text.matchAll(TAG)].map(({ 0: tag, 1: slash, 2: name = "", index }) => {
    return { name, from: index, to: index + tag.length, isClosing: slash === "/" };
  });
  const lastClosing = new Map(tags.filter((tag) => tag.isClosing).map((tag) => [tag.name, tag.from]));
  let kept = "";
  let at = 0;
  let open: string | undefined;
  for (const { name, from, to, isClosing } of tags) {
    if (open === undefined && !isClosing && (lastClosing.get(name) ?? -1) > from) {
      kept += text.slice(at, from);
      open = name;
    } else if (open === name && isClosing) {
      open = undefined;
      at = to;
    }
  }
  return open === undefined ? `${kept}${text.slice(at)}` : kept;
}

export type TermKind = "url" | "path" | "error" | "identifier" | "number";

/** A word that identifies something and cannot be guessed. */
interface Term {
  readonly word: string;
  readonly kind: TermKind;
}

const URL = String.raw`\bhttps?:\/\/[^\s<>"'${"`"})\]}]+`;

const PATHS = [
  String.raw`(?<![\w/.-])~?(?:[\w@.-]{0,60}\/){1,20}[\w@.-]{0,60}\.\w{1,10}\b`,
  String.raw`(?<![\w/.-])\/(?:[\w@.-]{1,60}\/){1,20}[\w@.-]{0,60}\w`,
  String.raw`(?<![\w/.-])[\w-]{2,60}\.[a-z]{1,5}\d?\b(?![.(/])`,
];

const ERRORS = [
  String.raw`\b[A-Z]{2,12}\d{2,8}\b`,
  String.raw`\bE[A-Z]{4,14}\b`,
  String.raw`\b[A-Z]\w{0,60}(?:Error|Exception)\b`,
  String.raw`\b(?:exit code|status|HTTP) \d{1,4}\b`,
];

const IDENTIFIERS = [
  String.raw`(?<![\w-])--[a-z][\w-]{1,60}`,
  String.raw`\b[A-Za-z]\w{0,60}_\w+\b`,
  String.raw`\b[a-z]{1,60}[A-Z]\w+`,
  String.raw`\b[A-Z][a-z0-9]{1,60}[A-Z]\w+`,
  String.raw`(?<![\w.])\w{1,60}(?:\.\w{1,60}){1,8}(?=\()`,
  String.raw`\b(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40}\b`,
  "`[^`\\n]{2,60}`",
];

const NUMBERS = [
  String.raw`(?<![\w.])v?\d{1,9}(?:\.\d{1,9}){2,4}\b`,
  String.raw`\b\d{1,20}(?:\.\d{1,9})? ?(?:%|ms|s|min|[KMG]i?B|px)(?!\w)`,
  String.raw`\b\d{3,20}(?:[.,]\d{1,9}){0,4}\b`,
];

const KINDS = ["url", "path", "error", "identifier", "number"] as const;

// Repeats are bounded, which keeps the search linear for any text.
const TERM = new RegExp(
  [[URL], PATHS, ERRORS, IDENTIFIERS, NUMBERS]
    .map((branches, kind) => `(?<${KINDS[kind]}>${branches.join("|")})`)
    .join("|"),
  "g",
);

/**
 * Returns the terms in a text, in order, including repeats. Unlike `identifiersIn` of the coverage, which must be fast on every word of a
 * conversation, it classifies each term.
 */
export function termsIn(text: string): Term[] {
  const terms: Term[] = [];
  for (const { groups = {} } of text.matchAll(TERM)) {
    const kind = KINDS.find((name) => groups[name] !== undefined);
    const word = kind === undefined ? "" : bare(groups[kind] ?? "");
    if (kind !== undefined && word !== "") terms.push({ word, kind });
  }
  return terms;
}

/** Strips quotes and trailing punctuation. */
function bare(word: string): string {
  return word
    .replace(/^`|`$/g, "")
    .replace(/[.,;:!?]+$/, "")
    .trim();
}

/** Returns the forms of a term: itself, and for a path also its last part. */
export function formsOf(word: string): string[] {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return name === "" || name === word ? [word] : [word, name];
}
