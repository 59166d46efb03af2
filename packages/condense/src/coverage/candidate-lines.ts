import { LonghaulError } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { linksIn } from "../content/line-links.ts";
import type { EditFate } from "./edit-fates.ts";
import { type Reader, spansIn } from "./vocabulary.ts";

/** A text whose lines can be chosen individually. */
export interface CandidateText {
  readonly content: Content;
  readonly group: number;
  readonly tokensPerCharacter: number;
  readonly recency: number;
  /** Tokens of a mark for omitted lines. */
  readonly markTokens: number;
  /** Set if it is left out whole, because it is the text of an edit that failed or is not left. */
  readonly fate?: EditFate;
  /** Its units are `first` up to `end`. */
  readonly first: number;
  readonly end: number;
}

/** The part of messages that must be kept to keep any of their lines, with its terms. */
export interface Group {
  readonly tokens: number;
  readonly terms: readonly number[];
  /** Whether it is always kept. */
  readonly isKept: boolean;
}

/** All lines that can be chosen, in reading order, as packed numbers: a long conversation has a hundred thousand lines. */
export class CandidateLines {
  readonly texts: CandidateText[] = [];
  readonly #textOf = new IntegerList();
  readonly #from = new IntegerList();
  readonly #terms = new IntegerList();
  readonly #termsEnd = new IntegerList();
  readonly #needs = new Map<number, readonly number[]>();

  /** Reads a content and adds its lines. */
  add(text: Omit<CandidateText, "first" | "end">, reader: Pick<Reader, "read">): void {
    const first = this.size;
    const spans = spansIn(text.content);
    if (text.content.level === "text")
      for (const [span, needed] of linksIn(text.content.text, spans))
        this.#needs.set(
          first + span,
          needed.map((other) => first + other),
        );
    for (const span of spans) {
      this.#textOf.push(this.texts.length);
      this.#from.push(span.from);
      for (const term of reader.read(text.content, span)) this.#terms.push(term);
      this.#termsEnd.push(this.#terms.length);
    }
    this.texts.push({ ...text, first, end: this.size });
  }

  get size(): number {
    return this.#from.length;
  }

  /** Returns the text of a unit. */
  textOf(unit: number): CandidateText {
    const text = this.texts[this.#textOf.at(unit)];
    if (text === undefined) throw new LonghaulError("internal.bug", `unknown unit ${unit}`);
    return text;
  }

  from(unit: number): number {
    return this.#from.at(unit);
  }

  to(unit: number): number {
    const { end, content } = this.textOf(unit);
    return unit + 1 < end ? this.#from.at(unit + 1) : content.text.length;
  }

  /** Returns the units of the same text that a unit needs to be understood. */
  neededBy(unit: number): readonly number[] {
    return this.#needs.get(unit) ?? [];
  }

  termsOf(unit: number): Int32Array {
    return this.#terms.slice(unit === 0 ? 0 : this.#termsEnd.at(unit - 1), this.#termsEnd.at(unit));
  }

  /** Adds the gain of each term of a unit to `start`, without a view of the terms: greedy choice calls it for every line, many times. */
  sumTerms(unit: number, gains: Float64Array, start: number): number {
    const end = this.#termsEnd.at(unit);
    let total = start;
    for (let at = unit === 0 ? 0 : this.#termsEnd.at(unit - 1); at < end; at++) total += gains[this.#terms.at(at)] ?? 0;
    return total;
  }
}

/** A growing list of 32-bit integers. */
class IntegerList {
  #values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Int32Array(this.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }

  /** Returns a view that is valid until the next push. */
  slice(from: number, to: number): Int32Array {
    return this.#values.subarray(from, to);
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }
}
