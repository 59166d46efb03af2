import type { Block, JsonValue, Message } from "@longhaul/conversation";

/**
 * Reference recall and quote recall of a condenser, measured without a model: a session is cut, the part before the cut is condensed, and
 * what the assistant really uses after it, before anything new supplies it, must still be there.
 */
export interface Need {
  /** Identifiers, paths, numbers and hashes that the assistant uses again. */
  readonly references: ReadonlySet<string>;
  /** Lines in its tool arguments that occurred verbatim before the cut. */
  readonly quotes: ReadonlySet<string>;
}

/** How much of a need is met. */
export interface Recall {
  readonly references: Share;
  readonly quotes: Share;
}

/** A fraction. */
export interface Share {
  readonly hit: number;
  readonly of: number;
}

/** Number of messages after the cut that determine the need. */
const MESSAGES_AHEAD = 24;
/** Shorter lines are too common to be quotes. */
const QUOTE_CHARACTERS = 20;

/** Cache of the terms in messages, for repeated measurements on the same messages. */
export interface RecallMemory {
  wordsOf(message: Message): MessageTerms;
}

/** Terms of one message: possible references, quotable lines, and those of them in tool arguments. */
interface MessageTerms {
  readonly references: ReadonlySet<string>;
  readonly lines: ReadonlySet<string>;
  readonly callLines: ReadonlySet<string>;
}

/** Creates a cache that is keyed by message object and holds it weakly. */
export function makeRecallMemory(): RecallMemory {
  const known = new WeakMap<Message, MessageTerms>();
  return {
    wordsOf: (message) => {
      const words = known.get(message) ?? readTerms(message);
      known.set(message, words);
      return words;
    },
  };
}

/** Returns what the assistant uses from message `at` on that occurred before it, and that no message from there on supplies first. */
export function needAt(messages: readonly Message[], at: number, memory = makeRecallMemory()): Need {
  const used = { references: new Set<string>(), quotes: new Set<string>() };
  const seen = { references: new Set<string>(), quotes: new Set<string>() };
  for (const message of messages.slice(at, at + MESSAGES_AHEAD)) {
    const { references, lines, callLines } = memory.wordsOf(message);
    if (message.role === "assistant") {
      addAll(used.references, references, (word) => !seen.references.has(word));
      addAll(used.quotes, callLines, (line) => !seen.quotes.has(line));
    } else {
      addAll(seen.references, references);
      addAll(seen.quotes, lines);
    }
  }
  return presentIn(used, messages.slice(0, at), memory);
}

function addAll(to: Set<string>, from: Iterable<string>, isWanted: (value: string) => boolean = () => true): void {
  for (const value of from) if (isWanted(value)) to.add(value);
}

/** Returns the part of a need that messages contain. */
function presentIn(need: Need, messages: readonly Message[], memory: RecallMemory): Need {
  const terms = messages.map((message) => memory.wordsOf(message));
  return {
    references: new Set([...need.references].filter((word) => terms.some(({ references }) => references.has(word)))),
    quotes: new Set([...need.quotes].filter((line) => terms.some(({ lines }) => lines.has(line)))),
  };
}

/** Measures how much of a need condensed messages still meet. */
export function recallOf(need: Need, condensed: readonly Message[], memory = makeRecallMemory()): Recall {
  const met = presentIn(need, condensed, memory);
  return {
    references: { hit: met.references.size, of: need.references.size },
    quotes: { hit: met.quotes.size, of: need.quotes.size },
  };
}

/** Sums recalls as if all their needs were one. */
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

function readTerms(message: Message): MessageTerms {
  const references = new Set<string>();
  const lines = new Set<string>();
  const callLines = new Set<string>();
  for (const { kind, text } of message.blocks.flatMap(textsOf)) {
    for (const [word] of text.matchAll(IDENTIFIER)) references.add(word);
    const own = text.split("\n").map(bareLine).filter(isLong);
    addAll(lines, own);
    if (kind === "call") addAll(callLines, own);
  }
  return { references, lines, callLines };
}

function bareLine(line: string): string {
  return line.replace(LINE_NUMBER, "").trim();
}

function isLong(line: string): boolean {
  // A character is one or two code units; they are counted only if that decides.
  if (line.length >= 2 * QUOTE_CHARACTERS) return true;
  return line.length >= QUOTE_CHARACTERS && [...line].length >= QUOTE_CHARACTERS;
}

type Kind = "text" | "call" | "result";

interface KindOfText {
  readonly kind: Kind;
  readonly text: string;
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
