import { type Block, type Hash, LonghaulError, type Message, textBlock, toolPairs } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { hasComposedText } from "../content/xml-tools.ts";
import type { KeptPiece } from "../edits/change.ts";
import { originIn, type SentMessages, type Slot } from "../edits/draft.ts";
import { NO_POSITION, type TextPosition, textIn } from "../edits/text-position.ts";
import { Lines } from "./lines.ts";
import { chooseRuns, editsFor, type RunRules, type SpliceEdit } from "./plan.ts";
import { Search } from "./search.ts";
import { GivenResults, settledSubjects } from "./subject.ts";
import { type FoundUnit, type Unit, unitsOf } from "./units.ts";

/** What of the new messages may give way, and how. */
export interface IndexRules extends Pick<RunRules, "counter"> {
  /** Tells which contents of the new messages may give way. */
  sourcesIn(contents: readonly Content[]): (content: Content) => boolean;
  /** Whether a whole result that the same operation gave before is marked as consolidated. */
  readonly consolidates: boolean;
  readonly hash: Hash;
}

/** Opens an index that knows no message yet. */
export function openReferenceIndex(): ReferenceIndex {
  return new ReferenceIndex();
}

/** A unit whose text is looked up where it stands. */
interface IndexedUnit extends Unit {
  readonly rawAt: TextPosition;
}

/** What an index knew at some time. */
interface Mark {
  readonly ends: LooseEnds;
  readonly units: number;
  readonly results: number;
}

/**
 * What references can point to in one conversation, so that a turn costs what is new in it. It holds numbers, places and names, and no
 * text of the client's. It belongs to the conversation as it was sent: where that was condensed anew, another one is opened.
 */
export class ReferenceIndex {
  readonly #units: IndexedUnit[] = [];
  readonly #search = new Search(new Lines((passage) => this.#textOf(passage)));
  readonly #results = new GivenResults((at) => this.#rawText(at));
  /** How far it had grown, turn by turn. */
  readonly #marks: Mark[] = [];
  #now: Mark = { ends: NO_MESSAGES, units: 0, results: 0 };
  /** Texts by their passage, and the conversation they are looked up in; only while it is at work. */
  readonly #texts: (string | undefined)[] = [];
  #sent: SentMessages | undefined;

  /** How many messages it knows. */
  get messages(): number {
    return this.#now.ends.messages;
  }

  /**
   * Plans references in the messages from `from` on, in raw coordinates. Those before it must be the ones that the index knows, as they
   * were sent; it learns those that it does not know yet, and forgets what it knows from `from` on.
   */
  planFrom(from: number, sent: SentMessages, rules: IndexRules): SpliceEdit[] {
    this.#sent = sent;
    try {
      this.#goTo(from, rules.hash);
      return this.#plan(sent.count, rules);
    } finally {
      this.#cut();
      this.#texts.length = 0;
      this.#sent = undefined;
    }
  }

  #goTo(messages: number, hash: Hash): void {
    while (this.messages > messages) this.#now = this.#marks.pop() ?? this.#now;
    this.#cut();
    if (this.messages === messages) return;
    const { found, ends } = this.#read(messages, hash);
    for (const index of found.keys()) this.#search.learn(this.#now.units + index);
    this.#marks.push(this.#now);
    this.#now = { ends, units: this.#units.length, results: this.#results.count };
  }

  #plan(to: number, { counter, hash, consolidates, sourcesIn }: IndexRules): SpliceEdit[] {
    const { found, contents } = this.#read(to, hash);
    const table = { units: this.#units, lines: this.#search.lines, search: this.#search };
    const timesGiven = ({ at, subject }: Unit) => this.#results.times(subject.operation ?? "", this.#rawPlace(at));
    const rules = { isSource: sourcesIn(contents), counter, ...(consolidates ? { timesGiven } : {}) };
    const pointTo = (passage: number, stretch: KeptPiece) => {
      return { target: this.#units[passage]?.rawAt ?? NO_POSITION, ...stretch };
    };
    return editsFor(table, chooseRuns(table, found, rules), { reason: "reference", consolidates, pointTo });
  }

  /** Reads the messages up to a position, and adds their lines without making them known. */
  #read(to: number, hash: Hash): { found: FoundUnit[]; contents: readonly Content[]; ends: LooseEnds } {
    const slotAt = (position: number) => this.#slotAt(position);
    const fresh = Array.from({ length: to - this.messages }, (_, offset) => slotAt(this.messages + offset).message);
    const { contents, ends } = continueContents(this.#now.ends, fresh, (position) => slotAt(position).message);
    const settled = settledSubjects(hash);
    const found = unitsOf(contents, {
      origin: (at) => originIn(slotAt(at.message), this.#rawOf(at.message), at),
      groupOf: () => "text",
      subjectOf: settled,
    });
    for (const { content: _, raw, ...unit } of found) {
      this.#texts[this.#units.length] = raw;
      this.#units.push({ ...unit, rawAt: this.#rawPlace(unit.at) });
      this.#search.lines.add(unit.passage);
    }
    for (const content of contents) {
      const { operation } = settled(content);
      if (operation !== undefined) this.#results.add(operation, this.#rawPlace(content.at));
    }
    return { found, contents, ends };
  }

  /** Forgets what was read and not made known for good. */
  #cut(): void {
    const { units, results } = this.#now;
    this.#search.cut(units);
    this.#units.length = units;
    this.#texts.length = Math.min(this.#texts.length, units);
    this.#results.cut(results);
  }

  #textOf(passage: number): string {
    const text = this.#texts[passage] ?? this.#rawText(this.#units[passage]?.rawAt ?? NO_POSITION);
    this.#texts[passage] = text;
    return text;
  }

  #rawText(at: TextPosition): string {
    return textIn(this.#sent?.rawAt(at.message), at);
  }

  #rawPlace({ message, block, path }: TextPosition): TextPosition {
    const slot = this.#slotAt(message);
    return slot.kind === "kept" ? { message: slot.index, block: slot.sources[block] ?? -1, path } : NO_POSITION;
  }

  #rawOf(position: number): Message | undefined {
    const slot = this.#slotAt(position);
    return slot.kind === "kept" ? this.#sent?.rawAt(slot.index) : undefined;
  }

  #slotAt(position: number): Slot {
    const slot = this.#sent?.slotAt(position);
    if (slot === undefined) throw new LonghaulError("internal.bug", `there is no message ${position} to refer to`);
    return slot;
  }
}

/** What must be known of messages to take those behind them apart as if all were read at once: places and no texts. */
export interface LooseEnds {
  /** How many messages there are. */
  readonly messages: number;
  /** How many of them are not the assistant's. */
  readonly rounds: number;
  /** Calls that no result has answered yet, in reading order. */
  readonly open: readonly OpenCall[];
  /** Whether a client composed one of them with tools as XML. */
  readonly isComposed: boolean;
  /** Whether the last one is the assistant's. */
  readonly endsWithAssistant: boolean;
}

interface OpenCall {
  readonly message: number;
  readonly block: number;
  readonly round: number;
}

/** Before the first message. */
export const NO_MESSAGES: LooseEnds = {
  messages: 0,
  rounds: 0,
  open: [],
  isComposed: false,
  endsWithAssistant: false,
};

/** Messages taken apart, and what is loose behind them. */
interface Continued {
  readonly contents: readonly Content[];
  readonly ends: LooseEnds;
}

/** Takes messages apart that follow others: gives the contents that taking all of them apart would give for these. */
export function continueContents(
  ends: LooseEnds,
  messages: readonly Message[],
  messageAt: (position: number) => Message,
): Continued {
  const before = precedingMessages(ends, messageAt);
  const all = [...before.map(({ message }) => message), ...messages];
  const positionOf = (index: number): number =>
    index < before.length ? (before[index]?.position ?? -1) : ends.messages + index - before.length;
  const contents = decompose(all, ends.isComposed)
    .contents.filter(({ at }) => at.message >= before.length)
    .map((content) => ({ ...content, at: { ...content.at, message: positionOf(content.at.message) } }));
  const roundOf = roundsOf(ends, messages);
  const open = toolPairs(all)
    .pairs.filter(({ result }) => result === undefined)
    .map(({ call: { message: index, block } }) => {
      const message = positionOf(index);
      return { message, block, round: roundOf(message) };
    });
  return { contents, ends: { ...endsBehind(ends, messages), open } };
}

interface Preceding {
  readonly message: Message;
  readonly position: number;
}

const SEPARATOR: Preceding = { message: { role: "user", blocks: [] }, position: -1 };

/** The messages whose calls are open, one round apart from the next, and the assistant's last words if nobody has spoken since. */
function precedingMessages(ends: LooseEnds, messageAt: (position: number) => Message): Preceding[] {
  const preceding: Preceding[] = [];
  const last = ends.endsWithAssistant ? ends.messages - 1 : -1;
  let round = -1;
  for (const position of new Set([...ends.open.map((call) => call.message), ...(last === -1 ? [] : [last])])) {
    const open = ends.open.filter((call) => call.message === position);
    const now = open[0]?.round ?? ends.rounds;
    if (round !== -1 && round !== now) preceding.push(SEPARATOR);
    round = now;
    preceding.push({ message: withoutTheRest(messageAt(position), open, position === last), position });
  }
  return round === -1 || last !== -1 ? preceding : [...preceding, SEPARATOR];
}

/** The message with its open calls alone, each where it stands, and its texts where they still matter. */
function withoutTheRest(message: Message, open: readonly OpenCall[], keepsTexts: boolean): Message {
  const isOpen = new Set(open.map((call) => call.block));
  const isKept = (block: Block, index: number) => isOpen.has(index) || (keepsTexts && block.type === "text");
  return { ...message, blocks: message.blocks.map((block, index) => (isKept(block, index) ? block : NOTHING)) };
}

const NOTHING = textBlock("");

/** Tells the round of a message: how many before it, and it itself, are not the assistant's. */
function roundsOf(
  { messages: count, rounds, open }: LooseEnds,
  messages: readonly Message[],
): (message: number) => number {
  let round = rounds;
  const known = new Map(open.map((call) => [call.message, call.round]));
  for (const [index, { role }] of messages.entries()) {
    if (role !== "assistant") round++;
    known.set(count + index, round);
  }
  return (message) => known.get(message) ?? rounds;
}

function endsBehind(ends: LooseEnds, messages: readonly Message[]): Omit<LooseEnds, "open"> {
  const last = messages.at(-1);
  return {
    messages: ends.messages + messages.length,
    rounds: ends.rounds + messages.filter(({ role }) => role !== "assistant").length,
    isComposed: ends.isComposed || messages.some(hasComposedText),
    endsWithAssistant: last === undefined ? ends.endsWithAssistant : last.role === "assistant",
  };
}
