import { type Block, type Hash, LonghaulError, type Message, textBlock, toolPairs } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { hasComposedText } from "../content/xml-tools.ts";
import type { KeptPiece } from "../edits/change.ts";
import { originIn, type SentMessages, type Slot } from "../edits/draft.ts";
import { NO_POSITION, type TextPosition, textIn } from "../edits/text-position.ts";
import { Lines } from "./lines.ts";
import { type BookSize, MarkBook } from "./mark-book.ts";
import { chooseRuns, editsFor, type RunRules, type SpliceEdit } from "./plan.ts";
import { Search } from "./search.ts";
import { eagerSubjects, ResultCounter } from "./subject.ts";
import { type FoundUnit, type Unit, unitsOf } from "./units.ts";

/** Which parts of the new messages may be replaced, and how. */
export interface IndexRules extends Pick<RunRules, "counter"> {
  /** Returns a predicate for the contents of the new messages that may be replaced. */
  sourcesIn(contents: readonly Content[]): (content: Content) => boolean;
  /** Whether a whole result that the same operation returned before is marked as consolidated. */
  readonly consolidates: boolean;
  readonly hash: Hash;
}

/** Opens an empty index. */
export function openReferenceIndex(): ReferenceIndex {
  return new ReferenceIndex();
}

/** The extent of an index at some time. */
interface Extent {
  readonly state: DecomposeState;
  readonly units: number;
  readonly results: number;
  readonly book: BookSize;
}

/**
 * The possible targets of references in one conversation, so that a turn costs only its new messages. It holds numbers, positions and
 * names, but no text. It is valid for the conversation as it was sent: after another condensation, open a new one.
 */
export class ReferenceIndex {
  readonly #units: Unit[] = [];
  readonly #book = new MarkBook();
  readonly #search = new Search(new Lines((passage) => this.#textOf(passage)));
  readonly #results = new ResultCounter((at) => this.#rawText(at));
  /** Earlier extents, one per turn. */
  readonly #marks: Extent[] = [];
  #now: Extent = { state: INITIAL_STATE, units: 0, results: 0, book: this.#book.size };
  /** Texts by passage, and the conversation that they are looked up in; set only during a call. */
  readonly #texts: (string | undefined)[] = [];
  #sent: SentMessages | undefined;

  /** Number of indexed messages. */
  get messages(): number {
    return this.#now.state.messages;
  }

  /**
   * Plans references in the messages from `from` on, in raw coordinates. The messages before it must be the indexed ones, as they were
   * sent; messages not yet indexed are added, and those from `from` on are removed.
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
    const { found, state } = this.#read(messages, hash);
    for (const index of found.keys()) this.#search.learn(this.#now.units + index);
    this.#marks.push(this.#now);
    this.#now = { state, units: this.#units.length, results: this.#results.count, book: this.#book.size };
  }

  #plan(to: number, { counter, hash, consolidates, sourcesIn }: IndexRules): SpliceEdit[] {
    const { found, contents } = this.#read(to, hash);
    const table = { units: this.#units, lines: this.#search.lines, search: this.#search, book: this.#book };
    const timesReturned = ({ at, subject }: Unit) =>
      this.#results.timesReturned(subject.operation ?? "", this.#rawPlace(at));
    const rules = { isSource: sourcesIn(contents), counter, ...(consolidates ? { timesReturned } : {}) };
    const pointTo = (passage: number, span: KeptPiece) => {
      return { target: this.#units[passage]?.rawAt ?? NO_POSITION, ...span };
    };
    return editsFor(table, chooseRuns(table, found, rules), { reason: "reference", consolidates, pointTo });
  }

  /** Reads the messages up to a position, and adds their lines without indexing them. */
  #read(to: number, hash: Hash): { found: FoundUnit[]; contents: readonly Content[]; state: DecomposeState } {
    const slotAt = (position: number) => this.#slotAt(position);
    const fresh = Array.from({ length: to - this.messages }, (_, offset) => slotAt(this.messages + offset).message);
    const { contents, state } = decomposeNext(this.#now.state, fresh, (position) => slotAt(position).message);
    const subjectOf = eagerSubjects(hash);
    const found = unitsOf(contents, {
      origin: (at) => originIn(slotAt(at.message), this.#rawOf(at.message), at),
      groupOf: () => "text",
      subjectOf,
      book: this.#book,
    });
    for (const { content: _, raw, ...unit } of found) {
      this.#texts[this.#units.length] = raw;
      this.#units.push(unit);
      this.#search.lines.add(unit.passage);
    }
    for (const content of contents) {
      const { operation } = subjectOf(content);
      if (operation !== undefined) this.#results.add(operation, this.#rawPlace(content.at));
    }
    return { found, contents, state };
  }

  /** Removes everything that was read but not indexed. */
  #cut(): void {
    const { units, results, book } = this.#now;
    this.#search.truncate(units);
    this.#units.length = units;
    this.#texts.length = Math.min(this.#texts.length, units);
    this.#results.truncate(results);
    this.#book.truncate(book);
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
    if (slot === undefined) throw new LonghaulError("internal.bug", `no message at position ${position}`);
    return slot;
  }
}

/** State needed to decompose further messages as if all were read at once: positions and no texts. */
export interface DecomposeState {
  /** Number of messages so far. */
  readonly messages: number;
  /** Number of messages that are not the assistant's. */
  readonly rounds: number;
  /** Calls without a result so far, in reading order. */
  readonly open: readonly OpenCall[];
  /** Whether a client with XML tools composed one of the messages. */
  readonly isComposed: boolean;
  /** Whether the last message is the assistant's. */
  readonly endsWithAssistant: boolean;
}

interface OpenCall {
  readonly message: number;
  readonly block: number;
  readonly round: number;
}

export const INITIAL_STATE: DecomposeState = {
  messages: 0,
  rounds: 0,
  open: [],
  isComposed: false,
  endsWithAssistant: false,
};

/** Decomposed messages, and the state after them. */
interface DecomposedMessages {
  readonly contents: readonly Content[];
  readonly state: DecomposeState;
}

/** Decomposes messages that follow others: returns the same contents for them as decomposing all messages. */
export function decomposeNext(
  state: DecomposeState,
  messages: readonly Message[],
  messageAt: (position: number) => Message,
): DecomposedMessages {
  const before = precedingMessages(state, messageAt);
  const all = [...before.map(({ message }) => message), ...messages];
  const positionOf = (index: number): number =>
    index < before.length ? (before[index]?.position ?? -1) : state.messages + index - before.length;
  const contents = decompose(all, state.isComposed)
    .contents.filter(({ at }) => at.message >= before.length)
    .map((content) => ({ ...content, at: { ...content.at, message: positionOf(content.at.message) } }));
  const roundOf = roundsOf(state, messages);
  const open = toolPairs(all)
    .pairs.filter(({ result }) => result === undefined)
    .map(({ call: { message: index, block } }) => {
      const message = positionOf(index);
      return { message, block, round: roundOf(message) };
    });
  return { contents, state: { ...nextState(state, messages), open } };
}

interface Preceding {
  readonly message: Message;
  readonly position: number;
}

const SEPARATOR: Preceding = { message: { role: "user", blocks: [] }, position: -1 };

/** Returns the messages with open calls, separated by round, and the last message if it is the assistant's. */
function precedingMessages(state: DecomposeState, messageAt: (position: number) => Message): Preceding[] {
  const preceding: Preceding[] = [];
  const last = state.endsWithAssistant ? state.messages - 1 : -1;
  let round = -1;
  for (const position of new Set([...state.open.map((call) => call.message), ...(last === -1 ? [] : [last])])) {
    const open = state.open.filter((call) => call.message === position);
    const now = open[0]?.round ?? state.rounds;
    if (round !== -1 && round !== now) preceding.push(SEPARATOR);
    round = now;
    preceding.push({ message: openPartsOf(messageAt(position), open, position === last), position });
  }
  return round === -1 || last !== -1 ? preceding : [...preceding, SEPARATOR];
}

/** Reduces a message to its open calls, at their positions, and its texts if they still matter. */
function openPartsOf(message: Message, open: readonly OpenCall[], keepsTexts: boolean): Message {
  const isOpen = new Set(open.map((call) => call.block));
  const isKept = (block: Block, index: number) => isOpen.has(index) || (keepsTexts && block.type === "text");
  return { ...message, blocks: message.blocks.map((block, index) => (isKept(block, index) ? block : NOTHING)) };
}

const NOTHING = textBlock("");

/** Returns a function from a message to its round: the number of messages up to it that are not the assistant's. */
function roundsOf(
  { messages: count, rounds, open }: DecomposeState,
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

function nextState(state: DecomposeState, messages: readonly Message[]): Omit<DecomposeState, "open"> {
  const last = messages.at(-1);
  return {
    messages: state.messages + messages.length,
    rounds: state.rounds + messages.filter(({ role }) => role !== "assistant").length,
    isComposed: state.isComposed || messages.some(hasComposedText),
    endsWithAssistant: last === undefined ? state.endsWithAssistant : last.role === "assistant",
  };
}
