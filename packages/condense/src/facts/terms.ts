/** What a term is. */
export type TermKind = "url" | "path" | "error" | "identifier" | "number";

/** A word that names one thing and that nobody could guess. */
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

// Repeats are bounded, so that no text makes the search slower than linear.
const TERM = new RegExp(
  [[URL], PATHS, ERRORS, IDENTIFIERS, NUMBERS]
    .map((branches, kind) => `(?<${KINDS[kind]}>${branches.join("|")})`)
    .join("|"),
  "g",
);

/**
 * The terms in a text, in order, repeats included. They are looked for in prose, one kind at a time, because a summary should keep them;
 * `identifiersIn` of the coverage looks at every word of a conversation and wants to be quick, not to know what it found.
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

/** Without the quotes around it and the full stop behind it. */
function bare(word: string): string {
  return word
    .replace(/^`|`$/g, "")
    .replace(/[.,;:!?]+$/, "")
    .trim();
}

/** The forms by which a term is known: as it is, and a path also by its last name. */
export function formsOf(word: string): string[] {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return name === "" || name === word ? [word] : [word, name];
}
