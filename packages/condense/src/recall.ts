import type { Block, JsonValue, Message } from "@longhaul/conversation";

/**
 * Reference recall and quote recall of a condenser, without a model: a session is cut, the part before the cut is condensed, and what the
 * assistant really uses in the messages after it, before anything new supplies it, must still be there.
 */
export interface Need {
  /** Identifiers, paths, numbers and hashes that the assistant uses again. */
  readonly references: ReadonlySet<string>;
  /** Lines in its tool arguments that stood before the cut verbatim. */
  readonly quotes: ReadonlySet<string>;
}

/** How much of a need is met. */
export interface Recall {
  readonly references: Share;
  readonly quotes: Share;
}

/** So many of so many. */
export interface Share {
  readonly hit: number;
  readonly of: number;
}

/** How many messages after the cut tell what was needed. */
const MESSAGES_AHEAD = 24;
/** Shorter lines are not quotes: they stand everywhere. */
const QUOTE_CHARACTERS = 20;

/** What the assistant uses from message `at` on that stood before it, and that no message from there on supplies first. */
export function needAt(messages: readonly Message[], at: number): Need {
  const before = messages.slice(0, at);
  const known = { references: identifiersIn(before), quotes: linesIn(before) };
  const seen = { references: new Set<string>(), quotes: new Set<string>() };
  const need = { references: new Set<string>(), quotes: new Set<string>() };
  for (const message of messages.slice(at, at + MESSAGES_AHEAD)) {
    if (message.role === "assistant") {
      addAll(need.references, identifiersIn([message]), (x) => known.references.has(x) && !seen.references.has(x));
      addAll(need.quotes, linesIn([message], ["call"]), (x) => known.quotes.has(x) && !seen.quotes.has(x));
    } else {
      addAll(seen.references, identifiersIn([message]), () => true);
      addAll(seen.quotes, linesIn([message]), () => true);
    }
  }
  return need;
}

function addAll(to: Set<string>, from: Iterable<string>, isWanted: (value: string) => boolean): void {
  for (const value of from) if (isWanted(value)) to.add(value);
}

/** How much of a need condensed messages still meet. */
export function recallOf(need: Need, condensed: readonly Message[]): Recall {
  return {
    references: share(need.references, identifiersIn(condensed)),
    quotes: share(need.quotes, linesIn(condensed)),
  };
}

function share(needed: ReadonlySet<string>, kept: ReadonlySet<string>): Share {
  return { hit: [...needed].filter((value) => kept.has(value)).length, of: needed.size };
}

/** Adds up recalls, as if all their needs were one. */
export function sumRecalls(recalls: readonly Recall[]): Recall {
  return { references: sum(recalls.map((each) => each.references)), quotes: sum(recalls.map((each) => each.quotes)) };
}

function sum(shares: readonly Share[]): Share {
  return { hit: shares.reduce((all, { hit }) => all + hit, 0), of: shares.reduce((all, { of }) => all + of, 0) };
}

const WORD = "[\\p{L}\\p{N}_]";
const START = `(?<!${WORD})(?=${WORD})`;
const END = `(?<=${WORD})(?!${WORD})`;

const IDENTIFIER = new RegExp(
  [
    `[A-Za-z_$](?:${WORD}|\\$)*(?:[./-](?:${WORD}|[$@-])+)+`,
    `[a-z]+[A-Z]${WORD}{3,}`,
    `[A-Za-z]+_${WORD}{3,}`,
    `${START}[A-Z][a-z]+[A-Z]${WORD}+`,
    `${START}\\p{Nd}{4,}${END}`,
    `${START}[0-9a-f]{7,40}${END}`,
  ].join("|"),
  "gu",
);

const LINE_NUMBER = /^\s*\p{Nd}+\s*(→|\||:|\t|-)\s?/u;

function identifiersIn(messages: readonly Message[]): Set<string> {
  const found = new Set<string>();
  for (const { text } of messages.flatMap(textsIn)) for (const [word] of text.matchAll(IDENTIFIER)) found.add(word);
  return found;
}

function linesIn(messages: readonly Message[], kinds: readonly Kind[] = ["text", "call", "result"]): Set<string> {
  const found = new Set<string>();
  for (const { kind, text } of messages.flatMap(textsIn)) {
    if (kinds.includes(kind)) addAll(found, text.split("\n").map(bareLine), isLong);
  }
  return found;
}

function bareLine(line: string): string {
  return line.replace(LINE_NUMBER, "").trim();
}

function isLong(line: string): boolean {
  return line.length >= QUOTE_CHARACTERS && [...line].length >= QUOTE_CHARACTERS;
}

type Kind = "text" | "call" | "result";

interface KindOfText {
  readonly kind: Kind;
  readonly text: string;
}

function textsIn(message: Message): KindOfText[] {
  return message.blocks.flatMap(textsOf);
}

function textsOf(block: Block): KindOfText[] {
  if (block.type === "text") return [{ kind: "text", text: block.text }];
  if (block.type === "tool-call") return stringsIn(block.input).map((text) => ({ kind: "call", text }));
  if (block.type !== "tool-result") return [];
  return block.content.flatMap((entry) => (entry.type === "text" ? [{ kind: "result", text: entry.text }] : []));
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
