/** The sentences and lines of a text that say something, without layout. What stands between fences or in tags is left out. */
export function sentencesOf(text: string): string[] {
  return withoutTags(text)
    .replace(FENCED, "\n")
    .split("\n")
    .flatMap((line) => line.split(SENTENCE_END))
    .map((sentence) => sentence.replace(LAYOUT, ""))
    .filter(saysSomething);
}

const FENCED = /^```[^\n]*\n[\s\S]*?^```/gm;

const SENTENCE_END = /(?<=[.!?])\s+(?=\S)|(?<=[。！？])/;

/** Bullets, quotes and heading signs before a line, and the end of its emphasis. */
const LAYOUT = /^[\s>#*+-]+|[\s*]+$/g;

const LEAST_WORDS = 2;
/** Of a sentence, letters, digits and blanks; code and tables have fewer. */
const LEAST_PROSE = 0.75;

const WORD = /(?<=^|[\s"'([*`])\p{L}{2,}(?=$|[\s"'’)\]*`.,;:!?-])/gu;
const WORDS_WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u;

/** Whether a line is more than names, and no piece of code or of a table. */
export function saysSomething(line: string): boolean {
  const words = line.match(WORD)?.length ?? 0;
  if (words < LEAST_WORDS && !WORDS_WITHOUT_BLANKS.test(line)) return false;
  const prose = line.match(/[\p{L}\p{N}\s]/gu)?.length ?? 0;
  return prose >= line.length * LEAST_PROSE;
}

const CONSTRAINT =
  /\b(?:must|mustn['’]t|never|always|only|don['’]t|do not|shouldn['’]t|should not|can['’]t|cannot|avoid|make sure|have to|need to|prefer|instead of|leave .{1,40} alone|without)\b/i;

/** Whether a sentence of the user says how the work is to be done. */
export function isConstraint(sentence: string): boolean {
  return CONSTRAINT.test(sentence);
}

/** The words of a text that carry its meaning, in lower case and without their endings, each once. */
export function meaningIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => word.slice(0, STEM_CHARS)));
}

/** Enough to tell words apart, too little for most endings. */
const STEM_CHARS = 5;

const EMPTY_WORDS: ReadonlySet<string> = new Set(
  "the and for you your are was were has have had not but can all any its that this with from into out than then them they will would should could please just also let get use".split(
    " ",
  ),
);

/** Share of a sentence's words that must stand elsewhere for it to be told there. */
const TOLD_SHARE = 0.7;

/** Whether a sentence is told by a text of these words, perhaps in another order. */
export function isTold(sentence: string, words: ReadonlySet<string>): boolean {
  const meaning = [...meaningIn(sentence)];
  const told = meaning.filter((word) => words.has(word)).length;
  return told >= meaning.length * TOLD_SHARE;
}

// Clients name their own tags in several words, HTML does not.
const TAG = /<(\/?)([a-z]{1,30}[-_][a-z_-]{1,40})>/g;

/** A text without what clients put into the user's messages in tags of their own, such as reminders and the output of commands. */
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
