import { type Hash, LonghaulError, type Message } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { originIn, type SentMessages, type Slot } from "../edits/draft.ts";
import type { KeptPiece } from "../edits/pieces.ts";
import { NO_POSITION, type TextPosition, textIn } from "../edits/text-position.ts";
import { chooseRuns, type RunRules } from "./choose-runs.ts";
import { Lines } from "./lines.ts";
import { continueContents, type LooseEnds, NO_MESSAGES } from "./loose-ends.ts";
import { editsFor, type SpliceEdit } from "./plan.ts";
import { GivenResults } from "./same-operation.ts";
import { Search } from "./search.ts";
import { settledSubjects } from "./subject.ts";
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
