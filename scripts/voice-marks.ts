import { Visitor } from "oxc-parser";
import { lineAt, parseSource, type TextFile } from "../test/architecture/source-file.ts";

/** The place in which a sentence was found. */
export type TextKind = "comment" | "title" | "string" | "docs";

/** A word or phrase that plain technical English avoids, with its place. */
export interface VoiceMark {
  readonly path: string;
  readonly line: number;
  readonly kind: TextKind;
  readonly mark: string;
  /** The sentence around it, on one line. */
  readonly text: string;
}

interface Passage {
  readonly kind: TextKind;
  readonly start: number;
  readonly text: string;
}

/** Phrases of an older style that made readers stop, by the name they are counted under. */
const MARKS: ReadonlyMap<string, RegExp> = new Map([
  ["tell, told", /\b(?:tell|tells|telling|told)\b/gi],
  ["stand, stood", /\b(?:stand|stands|standing|stood)\b(?!-?alone)/gi],
  ["nobody, whoever", /\b(?:nobody|whoever|whomever)\b/gi],
  ["besides", /\bbesides\b/gi],
  ["anew", /\banew\b/gi],
  ["of which", /\bof which\b/gi],
  ["such a", /\bsuch an?\b/gi],
  ["is to be", /\b(?:is|are|was|were) to be\b/gi],
  ["is wanted", /\b(?:is|are|be|was|were) wanted\b/gi],
  [
    "is no X",
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|different\b|other\b|way\b|need\b)[a-z]+/gi,
  ],
  ["what is Xed", /\bwhat (?:is|was|are|were|came|comes|goes|holds|fails|follows|stays|fits)\b(?! the | a | an |\?)/gi],
  ["in force", /\bin force\b/gi],
  ["as it came", /\bas (?:it|they) came\b/gi],
  ["dear", /\bdear(?:er|est)?\b/g],
  ["mend", /\bmend(?:s|ed|ing)?\b/gi],
]);

/** "What …" as the first word of a comment or test title. */
const OPENING = /^[\s/*]*What(?:ever)?\b/;

const TITLED = new Set(["it", "test", "describe"]);
const CODE_IN_PROSE = /```[\s\S]*?(?:```|$(?![\s\S]))|`[^`\n]*`|\]\([^)\n]*\)|^\|? ?<!--.*-->/gm;

/** Finds the marks in one file: in comments, test titles and strings of sources, and in the prose of Markdown. */
export function findVoiceMarks(file: TextFile): VoiceMark[] {
  const passages = file.path.endsWith(".md") ? proseIn(file) : passagesIn(file);
  return passages.flatMap((passage) => marksIn(file, passage));
}

function marksIn({ path, text }: TextFile, passage: Passage): VoiceMark[] {
  const found = [...MARKS].flatMap(([mark, pattern]) =>
    [...passage.text.matchAll(pattern)].map(({ index }) => ({ mark, index })),
  );
  const opens = passage.kind === "comment" || passage.kind === "title";
  if (opens && OPENING.test(passage.text)) found.push({ mark: "What …", index: 0 });
  return found.map(({ mark, index }) => {
    const around = passage.text.slice(Math.max(0, index - 60), index + 80).replaceAll(/\s+/g, " ");
    return { path, line: lineAt(text, passage.start + index), kind: passage.kind, mark, text: around.trim() };
  });
}

function proseIn({ text }: TextFile): Passage[] {
  return [{ kind: "docs", start: 0, text: text.replaceAll(CODE_IN_PROSE, (code) => code.replaceAll(/[^\n]/g, " ")) }];
}

function passagesIn(file: TextFile): Passage[] {
  const { program, comments } = parseSource(file);
  const titles = new Set<number>();
  const passages: Passage[] = comments.map(({ start, value }) => ({ kind: "comment", start, text: value }));
  const addString = (start: number, text: string) => {
    // A sentence has a space; names, paths and fragments of data do not count.
    if (/[a-z] [a-z]/i.test(text)) passages.push({ kind: titles.has(start) ? "title" : "string", start, text });
  };
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      const name = callee.type === "MemberExpression" || callee.type === "CallExpression" ? nameIn(callee) : callee;
      if (title && "name" in name && TITLED.has(String(name.name))) titles.add(title.start);
    },
    Literal: ({ start, value }) => {
      if (typeof value === "string") addString(start, value);
    },
    TemplateElement: ({ start, value }) => addString(start, value.cooked ?? value.raw),
    JSXText: ({ start, value }) => addString(start, value),
  }).visit(program);
  return passages;
}

/** The `it` in `it.each(…)`, `it.skipIf(…)(…)` and the like. */
function nameIn(callee: object): object {
  let node = callee;
  for (;;) {
    if ("object" in node && typeof node.object === "object" && node.object !== null) node = node.object;
    else if ("callee" in node && typeof node.callee === "object" && node.callee !== null) node = node.callee;
    else return node;
  }
}
