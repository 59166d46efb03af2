/** A section of a documentation page, from one heading to the next. */
export interface Section {
  /** The path of its page and heading under `/docs/`. */
  readonly href: string;
  readonly title: string;
  /** Its heading, or empty for the text before the first one. */
  readonly heading: string;
  readonly text: string;
}

export interface Result extends Pick<Section, "href" | "title" | "heading"> {
  readonly excerpt: readonly Piece[];
}

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const MAX_RESULTS = 8;
const MAX_PER_PAGE = 3;

/** Finds the sections that contain every word of a query, also as a part of a word. The best match comes first. */
export function searchSections(sections: readonly Section[], query: string): readonly Result[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const perPage = new Map<string, number>();
  const shown = found.filter(({ section: { title } }) => {
    const count = (perPage.get(title) ?? 0) + 1;
    perPage.set(title, count);
    return count <= MAX_PER_PAGE;
  });
  return shown.slice(0, MAX_RESULTS).map(({ section: { href, title, heading, text } }) => {
    return { href, title, heading, excerpt: excerptOf(text, words) };
  });
}

function scoreOf({ heading, title, text }: Section, words: readonly string[]): number {
  const ownHeading = heading === "" ? title : heading;
  const scores = words.map(
    (word) => HEADING_WEIGHT * matchIn(ownHeading, word) + TITLE_WEIGHT * matchIn(title, word) + densityIn(text, word),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

/** Relative to a text that consists of the word. */
const HEADING_WEIGHT = 1.5;
const TITLE_WEIGHT = 0.5;

/** Returns 1 if a word of the text starts with `word`, less if the text contains it elsewhere, or else 0. */
function matchIn(text: string, word: string): number {
  const at = text.toLowerCase().indexOf(word);
  if (at === -1) return 0;
  return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 0.5 : 1;
}

/** A text of this length with one match has half the density of a short one. */
const TYPICAL_CHARS = 1_000;

/** Returns how much of a text is about a word, from 0 to 1: it grows with the number of matches, and less so in a long text. */
function densityIn(text: string, word: string): number {
  const matches = text.toLowerCase().split(word).length - 1;
  return matches === 0 ? 0 : matches / (matches + text.length / TYPICAL_CHARS);
}

const CHARS_BEFORE = 50;
const CHARS_AFTER = 110;

/** Returns the text around the first match, in pieces, so that matches can be marked. */
function excerptOf(text: string, words: readonly string[]): readonly Piece[] {
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  const first = Math.max(0, text.search(pattern));
  const from = first <= CHARS_BEFORE ? 0 : text.indexOf(" ", first - CHARS_BEFORE) + 1;
  const end = text.indexOf(" ", first + CHARS_AFTER);
  const excerpt = `${from === 0 ? "" : "… "}${text.slice(from, end === -1 ? undefined : end)}${end === -1 ? "" : " …"}`;
  const matches = excerpt.match(pattern) ?? [];
  return excerpt
    .split(pattern)
    .flatMap((plain, at) => [
      { text: plain, isMatch: false },
      { text: matches[at] ?? "", isMatch: true },
    ])
    .filter((piece) => piece.text !== "");
}
